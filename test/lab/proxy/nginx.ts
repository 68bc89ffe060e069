import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answering, endWithUs, exited } from '../child.js';
import type { FrontProxy, ProxySettings, Upstream } from './proxy.js';

export async function startNginx(program: string, settings: ProxySettings): Promise<FrontProxy> {
  const folder = join(settings.folder, 'nginx');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const main = join(folder, 'main.conf');
  writeFileSync(main, configuration(settings, folder, settings.inUse));
  const child = spawn(program, ['-p', folder, '-c', main], { stdio: 'ignore' });
  endWithUs(child);
  await answering(settings.port);
  return {
    port: settings.port,
    async use(upstreams) {
      writeFileSync(main, configuration(settings, folder, upstreams));
      await reload(child);
    },
    async stop() {
      child.kill('SIGQUIT');
      await exited(child, 1500);
    },
  };
}

/** A new worker takes over the port; the old one keeps its streams until they end. */
async function reload(child: ChildProcess): Promise<void> {
  child.kill('SIGHUP');
  await sleep(400);
}

function configuration(settings: ProxySettings, folder: string, upstreams: readonly Upstream[]): string {
  const servers = upstreams.map(({ port }) => `server 127.0.0.1:${port} max_fails=0;`).join(' ');
  // The token stands for the user: a balancer that keeps users where they are looks at it, a cookie or the address.
  const hash = settings.balance === 'sticky' ? 'hash $http_authorization consistent; ' : '';
  const retry = settings.retriesPosts
    ? 'proxy_next_upstream error timeout non_idempotent;'
    : 'proxy_next_upstream off;';
  const recommended = readFileSync('samples/proxy-config/nginx.conf', 'utf8')
    .replaceAll('/var/log/nginx/mcp.jsonl', join(settings.folder, 'nginx-access.jsonl'))
    .replaceAll('/var/log/nginx/mcp-error.log', join(settings.folder, 'nginx-error.log'))
    .replace('server 127.0.0.1:8080;', `${hash}${servers}`)
    .replace('listen 8000', `listen 127.0.0.1:${settings.port}`)
    .replace('proxy_read_timeout 1h;', `proxy_read_timeout ${settings.readTimeoutS ?? 3600}s; ${retry}`)
    .replace('location /mcp', 'location / { proxy_pass http://mcp_servers; access_log off; }\n  location /mcp');
  return [
    'daemon off; worker_processes 1; worker_shutdown_timeout 60s;',
    `pid ${folder}/pid; error_log ${folder}/main.err;`,
    `events { worker_connections 512; } http { ${recommended} }`,
  ].join('\n');
}
