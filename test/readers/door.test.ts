import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/contract/resume-token.js';
import { sessionTag } from '../../src/mcp/session-id.js';
import { Door } from '../../src/readers/door.js';
import {
  type Capture,
  type EventRecord,
  type ExchangeRecord,
  emptyExchange,
  emptyMessage,
} from '../../src/readers/record.js';

const SECRET = '3f2a91c0-7c1d-4c8e-9b1a-5e0b6f7a8c9d';
const OTHER = 'c0ffee00-7c1d-4c8e-9b1a-5e0b6f7a8c9d';

function capture(exchange: Partial<ExchangeRecord>, rest: Partial<Capture> = {}): Capture {
  return {
    exchange: { ...emptyExchange('line 1', 'proxy'), ...exchange },
    events: [],
    messages: [],
    tools: [],
    ...rest,
  };
}

function event(eventId: string | null, given: Partial<EventRecord> = {}): EventRecord {
  return {
    ordinal: 0,
    eventId,
    cursor: eventId,
    type: 'message',
    dataBytes: 0,
    dataDigest: null,
    atNs: null,
    complete: true,
    priming: false,
    startByte: null,
    endByte: null,
    retryMs: null,
    ...given,
  };
}

const shown = (value: unknown) => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item));

describe('what must not be kept', () => {
  test('no row holds a session id, a credential or a task id', () => {
    const encoded = `${btoa(SECRET)}:${btoa('stream')}:3`;
    const rows = new Door().rows(
      capture(
        { requestSession: SECRET, responseSession: OTHER, lastEventId: `${SECRET}_12`, principal: 'Bearer planted' },
        {
          events: [event(encoded), event(`${OTHER}:7`)],
          messages: [{ ...emptyMessage(0, 'client', 'request'), taskId: 'task-planted' }],
        },
      ),
    );
    for (const secret of [SECRET, OTHER, btoa(SECRET), 'planted']) expect(shown(rows)).not.toContain(secret);
    expect(rows.exchange.request_session).toBe(sessionTag(SECRET));
    expect(rows.exchange.principal).toMatch(/^[0-9a-f]{32}$/);
  });

  test('an id cleaned of its session joins with itself wherever it comes up', () => {
    const door = new Door();
    const issued = door.rows(capture({ requestSession: SECRET }, { events: [event(`${SECRET}_12`)] }));
    const presented = door.rows(capture({ requestSession: OTHER, lastEventId: `${SECRET}_12` }));
    expect(presented.exchange.last_event_id).toBe(issued.events[0]?.event_id);
    expect(door.revealEventId(presented.exchange.last_event_id ?? '')).toBe(`${SECRET}_12`);
  });
});

describe('what is told of an id', () => {
  test('the fingerprint is that of the raw token', () => {
    const { exchange } = new Door().rows(capture({ requestSession: SECRET, lastEventId: 'e140' }));
    expect(exchange.resume_fingerprint).toBe(fingerprint({ sessionId: SECRET, lastEventId: 'e140' }));
    expect(exchange).toMatchObject({ cursor_family: 'counter', cursor_stream: 'e', cursor_seq: 140n });
    expect(new Door().rows(capture({ lastEventId: 'e140' })).exchange.resume_fingerprint).toBe(null);
  });

  test('a C# id names the tag of its session', () => {
    const { events } = new Door().rows(capture({}, { events: [event(`${btoa(SECRET)}:${btoa('st')}:3`)] }));
    expect(events[0]).toMatchObject({
      id_family: 'csharp',
      id_session: sessionTag(SECRET),
      id_stream: 'st',
      id_seq: 3n,
    });
  });

  test('first id, last cursor and count are those of dispatched events', () => {
    const events = [event(null, { cursor: null }), event('k1'), event('t2', { cursor: 'k1', complete: false })];
    const { exchange } = new Door().rows(capture({}, { events }));
    expect(exchange).toMatchObject({ first_event_id: 'k1', last_cursor: 'k1', event_count: 2 });
    expect(new Door().rows(capture({ lastCursor: 'k9' }, { events })).exchange.last_cursor).toBe('k9');
    expect(new Door().rows(capture({ lastCursor: null }, { events })).exchange.last_cursor).toBe(null);
  });

  test('messages are counted when the server sent them and they are some', () => {
    const messages = [
      emptyMessage(0, 'client', 'request'),
      emptyMessage(1, 'server', 'result'),
      emptyMessage(2, 'server', 'invalid'),
    ];
    expect(new Door().rows(capture({}, { messages })).exchange.message_count).toBe(1);
  });

  test('the serving instance is the last one tried', () => {
    const { exchange } = new Door().rows(capture({ backends: ['a:1', 'b:1'], backendStatuses: [502, null] }));
    expect(exchange).toMatchObject({ backend: 'b:1', backends: 'a:1, b:1', backend_statuses: '502, -', tries: 2 });
    expect(new Door().rows(capture({})).exchange).toMatchObject({ backend: null, backends: null, tries: 0 });
  });
});

describe('sessions of a run', () => {
  test('each id has one row and can be revealed', () => {
    const door = new Door();
    door.rows(capture({ requestSession: SECRET, responseSession: 'S2' }));
    door.rows(capture({ requestSession: 'S2', responseSession: SECRET }));
    expect(door.sessions().map(({ session }) => session)).toEqual([sessionTag(SECRET), 'S2']);
    expect([door.reveal(sessionTag(SECRET)), door.reveal('S2'), door.reveal('S3')]).toEqual([SECRET, 'S2', null]);
  });

  test('an id that is a prefix of another one’s hash is its alias', () => {
    const hash = createHash('sha256').update(SECRET).digest('hex');
    const door = new Door();
    for (const requestSession of [hash.slice(0, 16), SECRET, 'deadbeef', hash.slice(0, 7)]) {
      door.rows(capture({ requestSession }));
    }
    expect(door.aliases()).toEqual([[sessionTag(hash.slice(0, 16)), sessionTag(SECRET)]]);
    expect(new Door().aliases()).toEqual([]);
  });
});
