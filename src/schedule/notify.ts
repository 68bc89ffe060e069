import { setTimeout as sleep } from 'node:timers/promises';
import { PostmortemError } from '../error.js';
import type { Incident } from '../incident/finding.js';
import type { Store } from '../store/store.js';
import type { JobConfig, Receiver } from './config.js';
import type { JobHost } from './host.js';
import { messageBody } from './messages.js';

const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** What came of the messages that were waiting. */
export interface Notified {
  readonly sent: number;
  readonly failures: readonly PostmortemError[];
}

/**
 * Sends what is noted and not sent. A message is marked once its receiver has it; should the run be killed between the
 * two, it is sent again with the same `Idempotency-Key`.
 */
export async function notify(store: Store, config: JobConfig, host: JobHost): Promise<Notified> {
  const waiting = await store.rows<{ notice: string; receiver: string; document: string }>(
    `select n.notice, n.receiver, i.document
     from notice n join kept_incident i on i.incident = n.incident
     where not n.sent and i.state not in ('merged', 'withdrawn')
     order by i.at_ns, n.notice`,
  );
  const failures: PostmortemError[] = [];
  const broken = new Set<string>();
  let sent = 0;
  for (const { notice, receiver: name, document } of waiting) {
    const receiver = config.receivers.find((candidate) => candidate.name === name);
    if (receiver === undefined || broken.has(name)) continue;
    host.throwIfInterrupted();
    try {
      await deliver(receiver, notice, messageBody(receiver.kind, JSON.parse(document) as Incident, notice), host);
      await store.rows('update notice set sent = true where notice = $notice', { notice });
      sent += 1;
    } catch (error) {
      if (!(error instanceof PostmortemError) || error.code === 'interrupted') throw error;
      failures.push(error);
      broken.add(name);
    }
  }
  return { sent, failures };
}

async function deliver(receiver: Receiver, key: string, body: string, host: JobHost): Promise<void> {
  if (receiver.url === null) throw refused(receiver, 'the environment variable of its URL is not set');
  let problem = '';
  for (let attempt = 0; attempt < receiver.tries; attempt += 1) {
    host.throwIfInterrupted();
    const answer = await post(receiver.url, key, body);
    if (answer.isTaken) return;
    problem = answer.problem;
    if (!answer.isWorthAnother) break;
    if (attempt + 1 < receiver.tries)
      await sleep(answer.pauseMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
  }
  throw refused(receiver, problem);
}

interface Answer {
  readonly isTaken: boolean;
  readonly isWorthAnother: boolean;
  readonly problem: string;
  /** What `Retry-After` asks for. */
  readonly pauseMs: number | null;
}

async function post(url: string, key: string, body: string): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status } = response;
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      isTaken: response.ok,
      isWorthAnother: status >= 500 || status === 408 || status === 425 || status === 429,
      problem: `answered ${status}`,
      pauseMs: Number.isFinite(after) && after >= 0 ? Math.min(LONGEST_PAUSE_MS, after * 1000) : null,
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code =
      cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : '';
    return { isTaken: false, isWorthAnother: true, problem: `cannot be reached (${code})`, pauseMs: null };
  }
}

/** The URL may be a secret: the receiver is named by its name. */
function refused({ name }: Receiver, problem: string): PostmortemError {
  return new PostmortemError('output-failed', `notification "${name}": ${problem}`, 'The next run tries again.');
}
