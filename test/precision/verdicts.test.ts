import { describe, expect, it } from 'vitest';
import { assertResume, type SessionResumptionViolation, validateResume } from '../../src/contract/validate-resume.js';
import { Random } from '../support/history/random.js';
import { type Attempt, verdictOf } from '../support/history/verdict.js';

const FAMILIES = ['go', 'rmcp', 'csharp', 'typescript', 'counter', 'opaque'] as const;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Ids of three streams of a session and of one stream of another session, as a server of that family issues them. */
function issued(random: Random, family: string, session: string, stranger: string): string[][] {
  const clock = 1_777_000_000_000 + random.int(0, 1_000_000);
  let counter = random.int(0, 200);
  return [session, session, stranger].map((owner, n) => {
    const name = family === 'go' ? random.text(BASE32, 26) : family === 'rmcp' ? String(n) : random.uuid();
    const length = random.int(3, 8);
    return Array.from({ length }, (_, at) => {
      if (family === 'go') return `${name}_${at}`;
      if (family === 'rmcp') return `${at}/${name}`;
      if (family === 'csharp')
        return `${Buffer.from(owner).toString('base64')}:${Buffer.from(name).toString('base64')}:${at}`;
      if (family === 'typescript')
        return `${name}_${clock + at * random.int(1, 500)}_${random.text('abcdefgh0123', 8)}`;
      counter += 1;
      if (family === 'counter') return `e${counter}`;
      return random.uuid();
    });
  });
}

function attempt(random: Random): Attempt {
  const family = random.pick(FAMILIES);
  const [session, stranger] = [random.uuid(), random.uuid()];
  const [own = [], other = [], foreign = []] = issued(random, family, session, stranger);
  const cut = random.int(1, own.length - 1);
  const delivered = own.slice(0, cut);
  const firstId = random.pick([
    own[cut],
    own[cut],
    own[cut - 1],
    own[cut + 1] ?? own[cut],
    own[0],
    other[0],
    foreign[0],
    null,
    undefined,
  ]);
  return {
    family,
    session,
    lastId: own[cut - 1] ?? '',
    status: random.pick([200, 200, 200, 200, 202, 400, 404, 409, 500]),
    methodUnknown: random.chance(0.3),
    responseSession: random.pick([session, session, session, session, stranger, null, undefined]),
    firstId,
    delivered,
    other,
    strangers: foreign,
  };
}

describe('the verdict of a resume', () => {
  it('is that of the table read from top to bottom, for 20,000 random resumes', () => {
    const told = new Map<string, number>();
    for (let seed = 1; seed <= 20_000; seed++) {
      const one = attempt(new Random(seed));
      const wanted = verdictOf(one);
      told.set(wanted, (told.get(wanted) ?? 0) + 1);
      const token = { sessionId: one.session, lastEventId: one.lastId };
      const response = {
        status: one.status,
        sessionId: one.responseSession,
        firstEventId: one.firstId,
        body: one.methodUnknown
          ? { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }
          : undefined,
      };
      const history = { delivered: one.delivered, other: one.other, otherSessions: one.strangers };
      const given = validateResume(token, response, history);
      expect(given.verdict, `seed ${seed}: ${JSON.stringify(one)}: ${given.reason}`).toBe(wanted);
      let thrown: string | null = null;
      try {
        assertResume(token, response, history);
      } catch (error) {
        thrown = (error as SessionResumptionViolation).verdict;
      }
      expect(thrown).toBe(wanted === 'resumed' ? null : wanted);
    }
    expect([...told.keys()].sort()).toEqual(
      [
        'epoch-merge',
        'foreign',
        'gap',
        'refused',
        'replayed-earlier',
        'replayed-last',
        'resumed',
        'session-gone',
        'unacknowledged',
        'unobserved',
        'unorderable',
        'unproven',
      ].sort(),
    );
  });
});
