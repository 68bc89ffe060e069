import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExchangeRecord } from '../../../src/readers/record.js';
import { type Collected, collectPath } from '../../support/collect.js';
import { freePort, listening, SESSION, send, startServer, TRACEPARENT } from './traffic.js';

interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly sample: string;
  /** Puts the sample into something the program starts with, and gives its arguments. */
  readonly prepare: (folder: string, config: string) => readonly string[];
  readonly logs: readonly string[];
  readonly format: string;
  /** How the cut stream ends by the access log alone, and by what its error log says. */
  readonly cut: string;
  readonly saidByErrorLog: boolean;
}

const MODULES = 'mpm_event authz_core proxy proxy_http proxy_balancer lbmethod_byrequests slotmem_shm'.split(' ');

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    program: 'nginx',
    sample: 'nginx.conf',
    prepare(folder, config) {
      const paths = config.replaceAll('/var/log/nginx', folder);
      const main = `daemon off; pid ${folder}/pid; error_log ${folder}/main.err; events {} http { ${paths} }`;
      writeFileSync(join(folder, 'main.conf'), main);
      return ['-p', folder, '-c', join(folder, 'main.conf')];
    },
    logs: ['mcp.jsonl', 'mcp-error.log'],
    format: 'access-log/nginx-json',
    cut: 'unknown',
    saidByErrorLog: true,
  },
  {
    name: 'HAProxy',
    program: 'haproxy',
    sample: 'haproxy.cfg',
    prepare(folder, config) {
      writeFileSync(join(folder, 'haproxy.cfg'), config);
      return ['-db', '-f', join(folder, 'haproxy.cfg')];
    },
    logs: ['stdout'],
    format: 'access-log/haproxy',
    cut: 'truncated',
    saidByErrorLog: false,
  },
  {
    name: 'Apache',
    program: 'apache2',
    sample: 'apache.conf',
    prepare(folder, config) {
      const modules = MODULES.map((module) => `LoadModule ${module}_module /usr/lib/apache2/modules/mod_${module}.so`);
      const own = [
        `ServerRoot "${folder}"`,
        'ServerName localhost',
        `PidFile "${folder}/pid"`,
        'User www-data',
        'Group www-data',
      ];
      const more = [`DefaultRuntimeDir "${folder}"`, `Mutex file:${folder} default`, `ErrorLog "${folder}/main.err"`];
      const text = [...own, ...modules, ...more, config.replaceAll('/var/log/apache2', folder)].join('\n');
      writeFileSync(join(folder, 'apache.conf'), text);
      return ['-DFOREGROUND', '-f', join(folder, 'apache.conf')];
    },
    logs: ['mcp.log', 'mcp-error.log'],
    format: 'access-log/apache',
    cut: 'unknown',
    saidByErrorLog: true,
  },
  {
    name: 'Caddy',
    program: 'caddy',
    sample: 'Caddyfile',
    prepare(folder, config) {
      const text = config.replaceAll('/var/log/caddy', folder).replace('\n{\n', '\n{\n\tadmin off\n');
      writeFileSync(join(folder, 'Caddyfile'), text);
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
    logs: ['mcp.log', 'runtime.log'],
    format: 'access-log/caddy',
    cut: 'unknown',
    saidByErrorLog: true,
  },
];

function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (process.env.CI === 'true')
    throw new Error(`${name} is missing: install it, its configuration is tested with it.`);
  console.warn(`${name} is missing: its configuration is not tested`);
  return null;
}

for (const proxy of PROXIES) {
  const program = findProgram(proxy.program);
  describe.skipIf(program === null)(`the configuration for ${proxy.name}`, () => {
    let folder: string;
    let server: Server;
    let child: ChildProcess;
    let log: Collected;
    let exchanges: Map<string, ExchangeRecord>;
    let instance: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'proxy-config-'));
      mkdirSync(join(folder, 'logs'));
      const [upstream, port] = [await startServer(), await freePort()];
      server = upstream.server;
      instance = `127.0.0.1:${upstream.port}`;
      const sample = readFileSync(`samples/proxy-config/${proxy.sample}`, 'utf8');
      const config = sample.replaceAll('127.0.0.1:8080', instance).replaceAll('8000', String(port));
      const stdout = openSync(join(folder, 'stdout'), 'w');
      child = spawn(program!, proxy.prepare(folder, config), {
        stdio: ['ignore', stdout, openSync(join(folder, 'stderr'), 'w')],
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      });
      await listening(port);
      await send(port, 'ok', {
        'mcp-session-id': SESSION,
        'last-event-id': 'ev-42 "q\\x" | {b}',
        'mcp-protocol-version': '2025-11-25',
        'mcp-method': 'tools/call',
        'mcp-name': 'get_weather',
        traceparent: TRACEPARENT,
      });
      await send(port, 'cut', { 'mcp-session-id': SESSION });
      await send(port, 'wait', { 'mcp-session-id': SESSION }, 300);
      await send(port, 'gone', { 'mcp-session-id': SESSION });
      await sleep(500);
      child.kill(proxy.program === 'apache2' ? 'SIGWINCH' : 'SIGTERM');
      await Promise.race([new Promise((resolve) => child.on('exit', resolve)), sleep(5000)]);
      log = await collectPath(join(folder, proxy.logs[0]!));
      exchanges = new Map(
        log.captures.map(({ exchange }) => [/m=(\w+)/.exec(exchange.path ?? '')?.[1] ?? '', exchange]),
      );
    });

    afterAll(() => {
      child?.kill('SIGKILL');
      server?.closeAllConnections();
      server?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('is recognised, and every line of its log is read', () => {
      expect(log.summary?.format).toBe(proxy.format);
      // The test itself knocks until the proxy listens, and HAProxy notes that as a bad request.
      expect(log.rejects.filter(({ reason }) => !reason.includes('<BADREQ>'))).toEqual([]);
    });

    it('logs every field', () => {
      const exchange = exchanges.get('ok');
      expect(exchange).toMatchObject({
        httpMethod: 'POST',
        status: 200,
        requestSession: SESSION,
        responseSession: SESSION,
        lastEventId: 'ev-42 "q\\x" | {b}',
        protocolVersion: '2025-11-25',
        rpcMethod: 'tools/call',
        tool: 'get_weather',
        responseType: 'text/event-stream',
        userAgent: 'mcp-client/1.0 (test)',
        traceId: TRACEPARENT.slice(3, 35),
        client: '127.0.0.1',
        sawRequestHeaders: true,
        sawResponseHeaders: true,
      });
      const named = proxy.program === 'haproxy' ? 'mcp_servers/s1' : instance;
      expect(exchange?.backends).toEqual([named]);
      const nowNs = BigInt(Date.now()) * 1_000_000n;
      expect(nowNs - exchange!.startedNs!).toBeLessThan(60_000_000_000n);
      expect(exchange!.endedNs! >= exchange!.startedNs!).toBe(true);
    });

    it('shows that a session the server does not know has none in the answer', () => {
      expect(exchanges.get('gone')).toMatchObject({ status: 404, requestSession: SESSION, responseSession: null });
    });

    it('shows a cut stream, by itself or by the log beside it', async () => {
      expect(exchanges.get('cut')).toMatchObject({ status: 200, endState: proxy.cut });
      if (!proxy.saidByErrorLog) return;
      const errors = await collectPath(join(folder, proxy.logs[1]!));
      const cut = exchanges.get('cut')!;
      const near = errors.companions.filter(({ atNs, endState }) => {
        const apart = Number(atNs - (cut.endedNs ?? 0n));
        return endState === 'truncated' && Math.abs(apart) <= 1e9;
      });
      expect(near).not.toEqual([]);
    });

    it('never calls a stream complete that its client left', () => {
      expect(exchanges.get('wait')?.endState ?? 'unknown').not.toBe('complete');
    });
  });
}
