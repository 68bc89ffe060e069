import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Ports that nothing listens on; held together until all are found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => (server.listening ? null : once(server, 'listening'))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
