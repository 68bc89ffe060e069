import { PostmortemError } from '../../error.js';

/** How often and how patiently. */
export interface Patience {
  readonly tries: number;
  /** Before the second attempt; doubled for each further one. */
  readonly firstWaitMs: number;
  /** A `Retry-After` beyond it is not waited for. */
  readonly longestWaitMs: number;
  readonly timeoutMs: number;
}

export const PATIENCE: Patience = { tries: 4, firstWaitMs: 500, longestWaitMs: 30_000, timeoutMs: 10_000 };

/** Answers that ask for another attempt (OTLP/HTTP, Retryable Response Codes). */
const RETRYABLE = new Set([429, 502, 503, 504]);

const LONGEST_ANSWER = 65_536;

/**
 * Posts one request, again after a transient failure.
 * @returns the body of the answer
 * @throws PostmortemError `endpoint-refused`, naming `shown`
 */
export async function post(
  url: string,
  request: Uint8Array,
  headers: Readonly<Record<string, string>>,
  shown: string,
  patience: Patience,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(url, request, headers, patience, signal);
    if (outcome.kind === 'taken') return outcome.body;
    const waitMs = Math.max(outcome.retryAfterMs ?? 0, backoffMs(attempt, patience));
    const isLast = attempt >= patience.tries || waitMs > patience.longestWaitMs;
    if (outcome.kind === 'refused' || isLast || signal?.aborted) {
      const often = attempt === 1 ? '' : ` (${attempt} attempts)`;
      throw new PostmortemError(
        'endpoint-refused',
        `${shown}: findings were not taken: ${outcome.reason}${often}`,
        'The report is written. Send it again with `mcp-postmortem report`: ids stay the same.',
      );
    }
    await new Promise((done) => setTimeout(done, waitMs));
  }
}

type Outcome =
  | { readonly kind: 'taken'; readonly body: Uint8Array }
  | { readonly kind: 'refused' | 'busy'; readonly reason: string; readonly retryAfterMs: number | null };

async function attemptOnce(
  url: string,
  request: Uint8Array,
  headers: Readonly<Record<string, string>>,
  patience: Patience,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(patience.timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers },
      body: Buffer.from(request),
      // A token must not follow to another host.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    if (response.ok) return { kind: 'taken', body: await boundedBody(response) };
    await response.body?.cancel();
    return {
      kind: RETRYABLE.has(response.status) ? 'busy' : 'refused',
      reason: `it answered ${response.status}`,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    };
  } catch (error) {
    return { kind: 'busy', reason: networkReason(error), retryAfterMs: null };
  }
}

async function boundedBody(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > LONGEST_ANSWER) break;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/** Doubled each time, and spread out: who was refused together does not come back together. */
function backoffMs(attempt: number, { firstWaitMs }: Patience): number {
  return firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
}

/** Never the message of the error: it may quote a header. */
function networkReason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted';
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `it cannot be reached${code}`;
}
