import {
  answers,
  type History,
  isLoss,
  requests,
  type Stream,
  sessionOf,
  stateless,
  streamsOf,
  succeeded,
} from './facts.js';
import type { Seen, SeenMessage } from './seen.js';

export type Outcome = 'answered' | 'tool-error' | 'error' | 'rejected' | 'cancelled' | 'unknown' | 'censored';

/** A JSON-RPC request of a client and what became of it. */
export interface Call {
  x: Seen;
  message: SeenMessage;
  session: string | null;
  outcome: Outcome;
  /** HTTP refused it, a loss signal included. */
  refused: boolean;
  answer: SeenMessage | null;
  answeredBy: Seen | null;
  /** When the last exchange of its stream ended; Infinity: never. */
  endedMs: number;
  stream: Stream | null;
  /** Time at which the client cancelled it. */
  cancelledMs: number | null;
  /** The answer came where it does not belong. */
  elsewhere: boolean;
}

function cancelOf(h: History, x: Seen, message: SeenMessage): number | null {
  const cancel = h.seen.find(
    (y) =>
      y.startMs >= x.startMs &&
      sessionOf(y) === sessionOf(x) &&
      y.sent.some((item) => item.cancels !== null && item.cancels === message.id),
  );
  return cancel?.startMs ?? null;
}

function findAnswer(
  h: History,
  x: Seen,
  message: SeenMessage,
  stream: Stream | null,
): [Seen, SeenMessage, boolean] | null {
  for (const part of stream?.parts ?? [x]) {
    const own = answers(part).find((answer) => answer.id === message.id);
    if (own !== undefined) return [part, own, false];
  }
  for (const y of h.seen) {
    if (y.startMs < x.startMs || y === x || sessionOf(y) !== sessionOf(x)) continue;
    if (requests(y).some((own) => own.id === message.id)) break;
    const stray = answers(y).find((answer) => answer.id === message.id);
    if (stray !== undefined) return [y, stray, true];
  }
  return null;
}

function outcomeOf(call: Omit<Call, 'outcome'>): Outcome {
  const { x } = call;
  if (isLoss(x) || (x.status !== null && x.status >= 400 && x.status < 500)) return 'rejected';
  if (call.answer !== null) {
    if (call.answer.kind === 'error') return 'error';
    return call.answer.isError ? 'tool-error' : 'answered';
  }
  if (x.status !== null && x.status >= 500) return 'unknown';
  if (call.endedMs === Number.POSITIVE_INFINITY) return 'censored';
  return call.cancelledMs === null ? 'unknown' : 'cancelled';
}

/** Every JSON-RPC request that the history shows, with its outcome. */
export function callsOf(h: History): Call[] {
  const known = CALLS.get(h);
  if (known !== undefined) return known;
  const calls = findCalls(h);
  CALLS.set(h, calls);
  return calls;
}

const CALLS = new WeakMap<History, Call[]>();

function findCalls(h: History): Call[] {
  const streams = streamsOf(h);
  const calls: Call[] = [];
  for (const x of h.seen) {
    const stream = streams.find((item) => item.opener === x) ?? null;
    const resumesPost = stream === null && !stateless(x) && streams.some((item) => item.parts.includes(x));
    if (resumesPost) continue;
    for (const message of requests(x)) {
      const found = findAnswer(h, x, message, stream);
      const parts = stream?.parts ?? [x];
      const open = parts.some((part) => part.endMs === null);
      const partial: Omit<Call, 'outcome'> = {
        x,
        message,
        session: sessionOf(x),
        refused: x.status !== null && !succeeded(x),
        answer: found?.[1] ?? null,
        answeredBy: found?.[0] ?? null,
        elsewhere: found?.[2] ?? false,
        endedMs: open ? Number.POSITIVE_INFINITY : Math.max(...parts.map((part) => part.endMs ?? 0)),
        stream,
        cancelledMs: message.id === null ? null : cancelOf(h, x, message),
      };
      calls.push({ ...partial, outcome: outcomeOf(partial) });
    }
  }
  return calls;
}

/** Tool annotations known for a call: what any `tools/list` of the capture said. */
export function annotations(h: History, tool: string | null) {
  if (tool === null) return null;
  for (const x of [...h.seen].reverse()) {
    const found = x.tools.get(tool);
    if (found !== undefined) return found;
  }
  return null;
}
