import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const SESSION = '1868a90c-aaaa';
export const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** An MCP server as far as a proxy can see: streams that end, break off, or wait; `?m=` says which. */
export async function startServer(): Promise<{ server: Server; port: number }> {
  const server = createServer((incoming, response) => {
    const mode = new URL(incoming.url ?? '/', 'http://localhost').searchParams.get('m');
    incoming.resume();
    if (mode === 'gone') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"error":{}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': SESSION });
    response.write('id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
    if (mode === 'cut') setTimeout(() => response.destroy(), 150);
    else if (mode === 'wait') setInterval(() => response.write(': still here\n\n'), 50).unref();
    else response.end('id: 2\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** One request of an MCP client; `abortAfterMs`: the client hangs up then. Resolves when nothing more comes. */
export function send(
  port: number,
  mode: string,
  headers: Record<string, string>,
  abortAfterMs?: number,
): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/mcp?m=${mode}`,
      headers: { 'content-type': 'application/json', 'user-agent': 'mcp-client/1.0 (test)', ...headers },
      agent: false,
    });
    outgoing.on('response', (response: IncomingMessage) => {
      response.resume();
      response.on('close', resolve);
    });
    outgoing.on('error', () => resolve());
    outgoing.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather"}}');
    if (abortAfterMs !== undefined) setTimeout(() => outgoing.destroy(), abortAfterMs);
  });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until something listens. @throws Error after ten seconds */
export async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}
