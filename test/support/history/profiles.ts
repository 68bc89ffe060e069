import type { Random } from './random.js';

export type IdFamily = 'none' | 'typescript' | 'uuid' | 'counter' | 'go' | 'rmcp' | 'java' | 'csharp';

/** Habits of a server: those of the SDKs and of the commonest home-made ones. */
export interface Profile {
  name: string;
  /** Sends the session header on every response, or on `initialize` only. */
  echoes: boolean;
  ids: IdFamily;
  versions: readonly string[];
  /** Sends a priming event first (2025-11-25). */
  primes: boolean;
  /** Serves GET streams; otherwise 405. */
  listens: boolean;
  session(random: Random): string;
  unknown: { status: number; body: string; contentType: string };
}

const rpcError = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });

const notFound = (body: string, contentType = 'application/json') => ({ status: 404, body, contentType });
const uuid = (random: Random): string => random.uuid();
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const LEGACY = ['2025-03-26', '2025-06-18', '2025-11-25'];

export const PROFILES: readonly Profile[] = [
  {
    name: 'typescript',
    echoes: true,
    ids: 'typescript',
    versions: LEGACY,
    primes: false,
    listens: true,
    session: uuid,
    unknown: notFound(rpcError(-32001, 'Session not found')),
  },
  {
    name: 'typescript-priming',
    echoes: true,
    ids: 'typescript',
    versions: ['2025-11-25'],
    primes: true,
    listens: true,
    session: uuid,
    unknown: notFound(rpcError(-32001, 'Session not found')),
  },
  {
    name: 'python',
    echoes: true,
    ids: 'uuid',
    versions: ['2025-06-18', '2025-11-25'],
    primes: true,
    listens: true,
    session: (random) => random.hex(32),
    unknown: notFound(rpcError(-32600, 'Session not found')),
  },
  {
    name: 'counter',
    echoes: true,
    ids: 'counter',
    versions: LEGACY,
    primes: false,
    listens: true,
    session: uuid,
    unknown: notFound(rpcError(-32001, 'Session not found')),
  },
  {
    name: 'go',
    echoes: false,
    ids: 'go',
    versions: ['2025-06-18', '2025-11-25'],
    primes: true,
    listens: true,
    session: (random) => random.text(BASE32, 26),
    unknown: notFound('session not found\n', 'text/plain'),
  },
  {
    name: 'rmcp',
    echoes: false,
    ids: 'rmcp',
    versions: ['2025-03-26', '2025-06-18'],
    primes: false,
    listens: true,
    session: uuid,
    unknown: notFound('Not Found: Session not found', 'text/plain'),
  },
  {
    name: 'java',
    echoes: false,
    ids: 'java',
    versions: ['2025-06-18'],
    primes: false,
    listens: true,
    session: uuid,
    unknown: notFound(rpcError(-32603, 'Session not found')),
  },
  {
    name: 'csharp',
    echoes: true,
    ids: 'csharp',
    versions: ['2025-06-18', '2025-11-25'],
    primes: true,
    listens: true,
    session: (random) => random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-', 22),
    unknown: notFound(rpcError(-32001, 'Session not found')),
  },
  {
    name: 'plain',
    echoes: true,
    ids: 'none',
    versions: LEGACY,
    primes: false,
    listens: false,
    session: uuid,
    unknown: notFound(rpcError(-32001, 'Session not found')),
  },
];

export interface Tool {
  name: string;
  annotations: Readonly<Record<string, boolean>> | null;
  output: readonly string[] | null;
}

export const TOOLS: readonly Tool[] = [
  { name: 'find_parcel', annotations: { readOnlyHint: true }, output: null },
  { name: 'job_status', annotations: { readOnlyHint: true }, output: null },
  { name: 'tide_table', annotations: { readOnlyHint: true }, output: ['high_water', 'low_water'] },
  { name: 'berth_price', annotations: { readOnlyHint: true }, output: ['berth', 'euros'] },
  {
    name: 'set_label',
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false },
    output: null,
  },
  { name: 'book_courier', annotations: { readOnlyHint: false, destructiveHint: false }, output: null },
  { name: 'wipe_shelf', annotations: { readOnlyHint: false, destructiveHint: true }, output: null },
  { name: 'send_note', annotations: null, output: null },
];

/** What `tools/list` answers. */
export function toolList(): { tools: object[] } {
  return {
    tools: TOOLS.map((tool) => ({
      name: tool.name,
      inputSchema: { type: 'object' },
      ...(tool.annotations === null ? {} : { annotations: tool.annotations }),
      ...(tool.output === null
        ? {}
        : {
            outputSchema: {
              type: 'object',
              properties: Object.fromEntries(tool.output.map((key) => [key, { type: 'string' }])),
              required: tool.output,
            },
          }),
    })),
  };
}
