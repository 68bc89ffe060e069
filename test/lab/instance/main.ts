import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { SessionTable } from './session-table.js';
import { type InstanceCommand, type InstanceSettings, SETTINGS_VARIABLE } from './settings.js';
import { startTelemetry } from './telemetry.js';
import { TruthLog } from './truth-log.js';

const settings = JSON.parse(process.env[SETTINGS_VARIABLE] ?? '') as InstanceSettings;
const telemetry = startTelemetry(settings);
const truth = new TruthLog(settings.folder, settings.name);
const sessions = new SessionTable(settings, truth, {
  ran(session, tool, call) {
    truth.say({ what: 'ran', session, tool, call });
    if (tool === settings.diesAfter) process.kill(process.pid, 'SIGKILL');
  },
});

const server = createServer((request, response) => {
  // A header set here is also one that the instrumentation can read after `writeHead`.
  response.setHeader('x-served-by', settings.name);
  if (request.url === '/') return void response.setHeader('content-type', 'text/html').end('<title>client</title>');
  if (request.url === '/client.js') {
    return void response.setHeader('content-type', 'text/javascript').end(readFileSync(process.env.LAB_CLIENT ?? ''));
  }
  void readBody(request).then((body) => sessions.handle(request, response, body));
});
server.listen(settings.port, '127.0.0.1', () => process.send?.('listening'));

if (settings.idleLimitMs !== null) {
  const limitMs = settings.idleLimitMs;
  setInterval(() => sessions.forgetIdle(limitMs), 50);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as unknown);
}

/** As a server that a deploy takes out: its streams end, its traces are written, it goes. */
async function drain(): Promise<void> {
  server.close();
  await sessions.closeAll();
  server.closeIdleConnections();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await telemetry.shutdown();
  process.disconnect();
  server.closeAllConnections();
  process.exitCode = 0;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000).unref();
}

process.on('message', (command: InstanceCommand) => {
  if (command === 'drain') void drain();
  else void sessions.announce(`from ${settings.name}`);
});
// An instance never outlives the lab that started it.
process.on('disconnect', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000).unref());
