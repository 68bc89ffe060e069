import type { Random } from './random.js';

export type IdFamily = 'go' | 'rmcp' | 'csharp' | 'typescript' | 'counter' | 'opaque' | 'ulid' | 'uuid7' | 'java';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Ids of one stream for each session named, as a server of that family issues them; counters run through all of them. */
export function idsOf(random: Random, family: IdFamily, sessions: readonly string[]): string[][] {
  let clockMs = 1_777_000_000_000 + random.int(0, 1_000_000);
  let counter = random.int(0, 200);
  return sessions.map((session, n) => {
    const name = family === 'go' ? random.text(BASE32, 26) : family === 'rmcp' ? String(n) : random.uuid();
    return Array.from({ length: random.int(3, 8) }, (_, at) => {
      clockMs += random.int(0, 300);
      counter += 1;
      return idOf(random, family, { session, name, at, clockMs, counter });
    });
  });
}

interface Place {
  session: string;
  name: string;
  at: number;
  clockMs: number;
  counter: number;
}

function idOf(random: Random, family: IdFamily, { session, name, at, clockMs, counter }: Place): string {
  switch (family) {
    case 'go':
      return `${name}_${at}`;
    case 'rmcp':
      return `${at}/${name}`;
    case 'csharp':
      return `${base64(session)}:${base64(name)}:${at}`;
    case 'typescript':
      return `${name}_${clockMs}_${random.text('abcdefgh0123', 8)}`;
    case 'counter':
      return `e${counter}`;
    case 'opaque':
      return `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
    case 'ulid':
      return ulid(random, clockMs);
    case 'uuid7':
      return uuid7(random, clockMs);
    case 'java':
      return `${name}_${random.uuid()}`;
  }
}

function ulid(random: Random, atMs: number): string {
  let time = '';
  for (let rest = atMs; time.length < 10; rest = Math.floor(rest / 32)) time = `${CROCKFORD[rest % 32]}${time}`;
  return time + random.text(CROCKFORD, 16);
}

function uuid7(random: Random, atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
}
