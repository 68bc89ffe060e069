import { answer, event, notice, progress } from '../events.js';
import { S1, S2 } from '../ids.js';
import { json, result, stream } from '../replies.js';
import { callMessage, type Session, Tape } from '../tape.js';
import type { Reply } from '../wire.js';

export const ARGS = { article: 'bolt-m8', quantity: 2 };
const SAME_ARGS = { quantity: 2, article: 'bolt-m8' };

export function withSession(act: (session: Session, tape: Tape) => void): Tape {
  const tape = new Tape();
  act(tape.open(S1), tape);
  return tape;
}

/** A stream that broke before the answer. */
export function cut(): Reply {
  return stream([progress(null, 'tok', 1)], 'cut', 3_000);
}

/** What `tools/list` says of the tool. */
export function announced(session: Session, hints: object): Session {
  const tools = [{ name: 'place_order', inputSchema: { type: 'object' }, annotations: hints }];
  return session.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    json({ jsonrpc: '2.0', id: 1, result: { tools } }),
  );
}

interface Repetition {
  readonly first?: Reply;
  readonly second?: Reply;
  readonly args?: object;
  readonly secondArgs?: object;
  readonly secondTool?: string;
  readonly secondId?: number;
  readonly hints?: object;
}

/** A call, and the same call again. */
export function repeated({
  first = cut(),
  second,
  args,
  secondArgs,
  secondTool,
  secondId = 3,
  hints,
}: Repetition): Tape {
  return withSession((session) => {
    if (hints !== undefined) announced(session, hints);
    session
      .call(2, 'place_order', args ?? ARGS, first)
      .call(secondId, secondTool ?? 'place_order', args ?? secondArgs ?? SAME_ARGS, second ?? result(secondId));
  });
}

/** A POST, or another request, that a proxy tried on upstreams. */
export function retriedUpstream(method: 'POST' | 'GET', reply: Reply, upstreams = 2): Tape {
  const tried: Reply = { ...reply, backends: ['10.20.0.11:8080', '10.20.0.12:8080'].slice(0, upstreams) };
  return withSession((session) =>
    method === 'GET' ? session.get(tried) : session.call(2, 'place_order', ARGS, tried),
  );
}

const toolError = (id: number) =>
  event(null, { jsonrpc: '2.0', id, result: { isError: true, content: [{ type: 'text', text: 'out of stock' }] } });

export const sequence = {
  completedThenCut: (): Reply => stream([answer(null, 2)], 'cut', 2_000),
  toolErrorThenCut: (): Reply => stream([toolError(2)], 'cut', 2_000),

  /** A status is asked for every thirty seconds; one of the answers breaks. */
  polling: (): Tape =>
    withSession((session) => {
      for (let id = 2; id < 8; id += 1) {
        session
          .call(id, 'order_status', ARGS, id === 4 ? stream([], 'cut', 400) : { ...result(id), tookMs: 400 })
          .wait(29_350);
      }
    }),

  /** The stream of the call is resumed, and the server starts it all over. */
  replayed: (): Tape =>
    withSession((session) =>
      session
        .call(2, 'place_order', ARGS, stream([notice('c1', 'begun'), progress('c2', 'tok', 1)], 'cut'), 'tok')
        .resume('c2', stream([notice('c1', 'begun')], 'cut', 500))
        .call(3, 'place_order', ARGS, result(3)),
    ),

  /** A listening stream beside the call is resumed under another session, in which the client calls again. */
  merged: ({ beforeMs = 0, afterMs = 0 }): Tape =>
    withSession((session, tape) => {
      session
        .get(stream([notice('e7', 'hello')], 'cut'))
        .call(2, 'place_order', ARGS, result(2))
        .wait(beforeMs)
        .resume('e7', { ...stream([notice('e1', 'welcome')], 'complete', 500), session: S2 })
        .wait(afterMs);
      tape.join(S2).call(3, 'place_order', ARGS, result(3));
    }),

  /** The server asks for input; the request that brings it is cut, and sent again. */
  inputRequired: (): Tape => {
    const tape = new Tape('2026-07-28');
    const client = tape.join('');
    const asks = { resultType: 'input_required', requestState: 'st-1', inputRequests: {} };
    const post = (id: number, extra: object, reply: Reply) => {
      const message = callMessage(id, 'place_order', ARGS) as { params: object };
      client.post({ ...message, params: { ...message.params, ...extra } }, reply, { session: null });
    };
    const input = { requestState: 'st-1', inputResponses: {} };
    post(2, {}, json({ jsonrpc: '2.0', id: 2, result: asks }));
    post(3, input, cut());
    post(4, input, result(4));
    return tape;
  },
};
