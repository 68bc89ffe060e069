import type { FactValue } from './finding.js';

/** How the codes of facts read in a sentence. */
const PHRASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  consequence: {
    adopted: 'the client went on with it as if nothing had happened',
    delivered: 'what the other session had to say reached the client',
    refused: 'nothing of it was used',
  },
  ended: {
    truncated: 'its stream was cut',
    'timed-out': 'its stream timed out',
    'client-aborted': 'the client hung up',
    polling: 'its stream was closed for polling and not taken up again',
    complete: 'its stream ended without it',
    'no-answer': 'the connection brought no answer at all',
    unknown: 'its stream ended',
  },
  fault: {
    cut: 'its stream was cut',
    'time-out': 'a time-out',
    aborted: 'the client had hung up',
    '5xx': 'a server error',
    'no-answer': 'a connection that brought no answer',
    loss: 'the session was lost',
    'epoch-change': 'the session had been replaced by another',
    cancelled: 'the first was cancelled',
    'ended-early': 'its stream had ended without the answer',
    'a failed try': 'a failed try at another instance',
  },
  first_outcome: {
    completed: 'the first call had completed',
    unknown: 'what became of the first call is unknown',
    cancelled: 'the first call was cancelled, which does not undo it',
  },
  kind: {
    'never-issued': 'it was never issued there',
    'partial-frame': 'its event was cut before it was complete',
    credential: 'credential',
    client: 'client',
    message: 'the same message on two streams',
    response: 'an answer on a stream that asked nothing',
  },
  mode: {
    inclusive: 'starting with the last one',
    earlier: 'from before the last one',
    'same-cursor': 'the same cursor again and again',
    silent: 'an answer was due and nothing came',
    loop: 'a listening stream opened over and over',
    reuse: 'ids used again',
    restart: 'the numbering began again under the old session id',
  },
  proof: {
    'wrong-stream': 'it was not asked for on that request',
    unsolicited: 'nobody in the session asked for it',
    'two-answers': 'one request got two different answers',
    swapped: 'its content belongs to another request in flight under the same id',
    ambiguous: 'several requests were in flight under that id and nothing says whose it is',
  },
};

export function phraseOf(name: string, value: FactValue | undefined): string {
  if (value === null || value === undefined) return 'unknown';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return PHRASES[name]?.[String(value)] ?? String(value);
}
