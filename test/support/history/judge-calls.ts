import { annotations, type Call, callsOf } from './calls.js';
import { may, must } from './expect.js';
import { type History, requests, sessionOf, stateless, succeeded } from './facts.js';
import { faultsOf, type Lineages, lineagesOf } from './faults.js';
import type { Expected } from './seen.js';

const SLACK_MS = 5_000;

/** "the same tool with the same arguments ran, or may have run, twice in one lineage, the second time after a fault" */
export function duplicateCalls(h: History): Expected[] {
  const found: Expected[] = [...proxyRetries(h)];
  if (h.kind === 'log') return found;
  const lineages = lineagesOf(h);
  const calls = callsOf(h).filter((call) => call.message.method === 'tools/call' && call.message.arguments !== null);
  for (const [at, second] of calls.entries()) {
    const like = calls.slice(0, at).filter((call) => same(call, second) && lineages.related(call.x, second.x) !== 'no');
    const first = like.filter((call) => call.outcome !== 'rejected').at(-1);
    if (first === undefined) continue;
    found.push(...judgePair(h, lineages, calls, first, second));
  }
  return found;
}

const same = (a: Call, b: Call): boolean =>
  a.message.tool === b.message.tool && a.message.arguments === b.message.arguments && stateless(a.x) === stateless(b.x);

function judgePair(h: History, lineages: Lineages, calls: readonly Call[], first: Call, second: Call): Expected[] {
  if (second.message.inputRetry || second.message.task) return [];
  const sessions = [first.session, second.session].filter((name) => name !== null);
  const faults = faultsOf(h, lineages, first.x).filter(
    (fault) => fault.atMs >= first.x.startMs && fault.atMs <= second.x.startMs && fault.x !== second.x,
  );
  if (faults.length === 0) return [];
  const open = (because: string): Expected[] => [may('duplicate-tool-call', sessions, because)];
  if (second.outcome === 'rejected' || second.refused) return open('the second call was refused and never ran');
  if (rhythm(calls, first, second)) return open('polling goes on at its rhythm');
  if (lineages.related(first.x, second.x) === 'maybe')
    return open('whether the sessions are lives of one client is open');
  if (first.outcome === 'error' || first.outcome === 'tool-error')
    return open('whether a failed call counts as run is open');
  if (first.outcome === 'censored') return open('the first call is still running');
  const own = faults.filter((fault) => fault.own(first) && !fault.weak);
  if (first.outcome === 'answered' && own.length === 0 && !faults.some((fault) => fault.epoch)) {
    return open('the only fault between them concerned something else');
  }
  if (own.length === 0 && faults.every((fault) => fault.weak))
    return open('whether hanging up a listening stream is a fault');
  const hints = annotations(h, second.message.tool);
  const mild = hints?.readOnly === true || hints?.idempotent === true;
  const keyed = first.message.idempotencyKey !== null && first.message.idempotencyKey === second.message.idempotencyKey;
  if (mild || keyed)
    return [must('duplicate-tool-call', sessions, 'harmless by annotation or key', { severity: 'info' })];
  if (first.outcome === 'answered') {
    const grave = hints?.destructive === true && second.outcome === 'answered';
    const unclear = hints?.destructive === true && !grave;
    return [
      must('duplicate-tool-call', sessions, 'ran, and ran again', {
        severity: unclear ? null : grave ? 'critical' : 'high',
        confidence: 'definite',
      }),
    ];
  }
  return [must('duplicate-tool-call', sessions, 'may have run twice', { severity: 'medium', confidence: 'possible' })];
}

/** The same call came at least three times in even steps of which the one across the fault is one. */
function rhythm(calls: readonly Call[], first: Call, second: Call): boolean {
  const alike = calls.filter((call) => same(call, second)).sort((a, b) => a.x.startMs - b.x.startMs);
  return alike.length >= 4 && alike.indexOf(first) >= 1;
}

/** "a POST that the proxy tried on two upstreams" */
function proxyRetries(h: History): Expected[] {
  const found: Expected[] = [];
  for (const x of h.seen) {
    if (x.httpMethod !== 'POST' || x.backends.length < 2) continue;
    const sure = x.method === 'tools/call' && x.backendStatuses[0] === 504;
    const make = sure ? must : may;
    const facts = sure ? { mechanism: 'proxy-retry' } : {};
    found.push(make('duplicate-tool-call', sessionOf(x), 'sent to two upstreams', { facts }));
  }
  return found;
}

/** "a request whose response never arrived although the stream ended and was not resumed to it" */
export function lostResponses(h: History): Expected[] {
  if (h.kind !== 'har') return [];
  const found: Expected[] = [];
  for (const call of callsOf(h)) {
    if (call.refused || call.outcome === 'rejected' || (call.answer !== null && !call.elsewhere)) continue;
    if (call.x.lossInBody || call.endedMs === Number.POSITIVE_INFINITY) continue;
    if (call.cancelledMs !== null && call.cancelledMs <= call.endedMs) continue;
    const parts = call.stream?.parts ?? [call.x];
    const last = parts[parts.length - 1] ?? call.x;
    if (stateless(call.x) && last.end === 'client-aborted') continue;
    const open = (because: string) => found.push(may('lost-response', call.session, because));
    if (call.elsewhere) open('the answer came on another stream');
    else if (parts.some((part) => !part.sawAnswer && succeeded(part))) lose(h, call, found);
    else if (last.end === 'polling') judgePause(h, call, last.endMs ?? 0, found);
    else if (h.endMs - call.endedMs < SLACK_MS) open('the client might have come back after the capture');
    else if (closedByClient(h, call)) open('the client ended the session itself');
    else if (twins(h, call)) open('another request under the same id was answered');
    else lose(h, call, found);
  }
  return found;
}

function lose(h: History, call: Call, found: Expected[]): void {
  const harmless = call.message.method !== 'tools/call' || annotations(h, call.message.tool)?.readOnly === true;
  found.push(
    must('lost-response', call.session, 'the response never arrived', { severity: harmless ? 'medium' : 'high' }),
  );
}

/** "Never: … a polling pause still inside retry plus slack" */
function judgePause(h: History, call: Call, endedMs: number, found: Expected[]): void {
  const retries = (call.stream?.parts ?? []).flatMap((part) => part.events.map((event) => event.retryMs ?? 0));
  const retryMs = Math.max(0, ...retries);
  const deadlineMs = endedMs + retryMs + Math.max(SLACK_MS, 2 * retryMs);
  if (h.endMs > deadlineMs + 30_000) lose(h, call, found);
  else if (h.endMs > endedMs + retryMs + 1_000)
    found.push(may('lost-response', call.session, 'the pause may still be one'));
}

const closedByClient = (h: History, call: Call): boolean =>
  h.seen.some(
    (x) => x.httpMethod === 'DELETE' && x.requestSession === call.session && x.startMs <= call.endedMs + 2_000,
  );

const twins = (h: History, call: Call): boolean =>
  h.seen.some(
    (x) =>
      x !== call.x && sessionOf(x) === call.session && requests(x).some((message) => message.id === call.message.id),
  );
