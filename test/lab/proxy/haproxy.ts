import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { answering, endWithUs, exited } from '../child.js';
import type { FrontProxy, ProxySettings, Upstream } from './proxy.js';

export async function startHaproxy(program: string, settings: ProxySettings): Promise<FrontProxy> {
  const folder = join(settings.folder, 'haproxy');
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, 'admin');
  writeFileSync(join(folder, 'haproxy.cfg'), configuration(settings, socket));
  const accessLog = join(settings.folder, 'haproxy.log');
  const stdio = ['ignore', openSync(accessLog, 'w'), openSync(join(folder, 'stderr'), 'w')] as const;
  const child = spawn(program, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: [...stdio] });
  endWithUs(child);
  await answering(settings.port);

  async function use(upstreams: readonly Upstream[]): Promise<void> {
    const names = new Set(upstreams.map(({ name }) => name));
    // The new ones first: there is always one that takes requests.
    const [coming, going] = [[...names], settings.upstreams.map(({ name }) => name).filter((name) => !names.has(name))];
    for (const name of coming) await command(socket, `set server mcp_servers/${name} state ready`);
    for (const name of going) await command(socket, `set server mcp_servers/${name} state maint`);
  }
  await use(settings.inUse);
  return {
    port: settings.port,
    use,
    async stop() {
      child.kill('SIGUSR1');
      await exited(child, 1500);
    },
  };
}

function command(path: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(path, () => socket.write(`${text}\n`));
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.once('end', () => resolve(answer)).once('error', reject);
  });
}

function configuration(settings: ProxySettings, socket: string): string {
  const sticky = [
    'stick-table type string len 64 size 10k expire 1h',
    'stick store-response res.hdr(mcp-session-id)',
    'stick match req.hdr(mcp-session-id)',
  ];
  const backend = [
    'balance roundrobin',
    ...(settings.balance === 'sticky' ? sticky : []),
    ...(settings.retriesPosts ? ['retries 1', 'option redispatch 1', 'retry-on all-retryable-errors'] : []),
    ...settings.upstreams.map(({ name, port }) => `server ${name} 127.0.0.1:${port}`),
  ];
  return readFileSync('samples/proxy-config/haproxy.cfg', 'utf8')
    .replace('global\n', `global\n  stats socket ${socket} level admin\n`)
    .replace('bind :8000', `bind 127.0.0.1:${settings.port}`)
    .replace('timeout server 1h', `timeout server ${settings.readTimeoutS ?? 3600}s`)
    .replace('  server s1 127.0.0.1:8080', backend.map((line) => `  ${line}`).join('\n'));
}
