/** Whole numbers from 0 to below the limit; seeded (mulberry32). */
export type Below = (limit: number) => number;

export function belowOf(seed: number): Below {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** What parsers stumble over. */
const TOKENS: readonly Buffer[] = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\0',
  ',',
  ':',
  'null',
  '-',
  '-0',
  '1e999',
  '9223372036854775808',
  '-1',
  '1'.repeat(400),
  '__proto__',
  'constructor',
  '\uFEFF',
  'data: ',
  'id: ',
  'event: message\n',
  '2262-04-12T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  'Mcp-Session-Id',
  'Last-Event-ID',
  '[{"a":'.repeat(600),
  '</script>',
  '\u202e',
]
  .map((text) => Buffer.from(text))
  .concat(
    [
      [0xff],
      [0xfe, 0xff],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
      [0x0b, 0x0c],
      [0x1f, 0x8b],
      [0x28, 0xb5, 0x2f, 0xfd],
      [0x50, 0x4b, 0x03, 0x04],
      [0x7f, 0xff, 0xff, 0xff],
    ].map((bytes) => Buffer.from(bytes)),
  );

const MAX_GROWN_BYTES = 2 ** 20;

type Mutation = (bytes: Buffer, below: Below, other: Buffer) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  flipBit,
  setByte,
  remove,
  insertToken,
  insertToken,
  repeat,
  cut,
  splice,
  swapLines,
];

/** A damaged copy of `bytes`: one to eight changes. `other`: a file from which pieces may come. */
export function mutate(bytes: Buffer, other: Buffer, below: Below): Buffer {
  let out = bytes;
  for (let changes = 1 + below(8); changes > 0; changes--) out = MUTATIONS[below(MUTATIONS.length)]!(out, below, other);
  return out.subarray(0, MAX_GROWN_BYTES);
}

function flipBit(bytes: Buffer, below: Below): Buffer {
  const out = Buffer.from(bytes);
  if (out.length > 0) out[below(out.length)]! ^= 1 << below(8);
  return out;
}

function setByte(bytes: Buffer, below: Below): Buffer {
  const out = Buffer.from(bytes);
  if (out.length > 0) out[below(out.length)] = below(256);
  return out;
}

function remove(bytes: Buffer, below: Below): Buffer {
  const [from, to] = range(bytes, below);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
}

function insertToken(bytes: Buffer, below: Below): Buffer {
  return inserted(bytes, below(bytes.length + 1), TOKENS[below(TOKENS.length)]!);
}

function repeat(bytes: Buffer, below: Below): Buffer {
  const [from, to] = range(bytes, below);
  const times = 1 + below(to - from < 64 ? 1000 : 8);
  return inserted(bytes, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to))));
}

function cut(bytes: Buffer, below: Below): Buffer {
  return bytes.subarray(0, below(bytes.length + 1));
}

function splice(bytes: Buffer, below: Below, other: Buffer): Buffer {
  const [from, to] = range(other, below);
  return inserted(bytes, below(bytes.length + 1), other.subarray(from, to));
}

function swapLines(bytes: Buffer, below: Below): Buffer {
  const first = bytes.indexOf(10, below(bytes.length + 1));
  const second = first < 0 ? -1 : bytes.indexOf(10, first + 1);
  if (second < 0) return bytes;
  return Buffer.concat([
    bytes.subarray(second + 1),
    bytes.subarray(first + 1, second + 1),
    bytes.subarray(0, first + 1),
  ]);
}

function inserted(bytes: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

/** Short ranges more often than long ones. */
function range(bytes: Buffer, below: Below): [from: number, to: number] {
  const from = below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + below(2 ** below(14)))];
}
