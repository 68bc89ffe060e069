import { answer, notice } from '../events.js';
import { har } from '../har.js';
import { S1 } from '../ids.js';
import { haproxy } from '../logs.js';
import { meanwhile, refusal, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

/** Listening streams of these ages, one after the other. */
function ended(agesMs: readonly number[], change: (reply: Reply) => Reply = (reply) => reply, version?: string): Tape {
  const tape = new Tape(version);
  const session = tape.open(S1);
  for (const ageMs of agesMs) session.get(change(stream([], 'cut', ageMs)));
  return tape;
}

const MINUTES = [60_010, 60_030, 59_980, 60_050, 60_020];

export const streamCutoff = new Samples('stream-cutoff')
  .positive(
    'five-at-sixty-seconds',
    'Five streams end at sixty seconds, a common default.',
    { 'haproxy.log': haproxy(ended(MINUTES)) },
    {
      sessions: [S1],
      severity: 'info',
      confidence: 'probable',
      facts: { age_s: 60, streams: 5, constant: '60 s is a common default' },
    },
    ['futile-resume'],
  )
  .positive(
    'no-common-default',
    'Six streams end at 47 seconds, which no product has for a default.',
    { 'capture.har': har(ended([47_010, 47_020, 46_990, 47_500, 46_600, 47_100])) },
    { sessions: [S1], severity: 'info', facts: { age_s: 47, streams: 6, constant: 'no common default' } },
  )
  .positive(
    'two-time-outs',
    'Some streams end at one minute, others at five: two time-outs on the way.',
    { 'haproxy.log': haproxy(ended([...MINUTES, 300_010, 300_020, 299_990, 300_040, 300_030])) },
    { severity: 'info', facts: { age_s: 300, streams: 5, constant: '300 s is a common default' } },
  )
  .negative('four-streams', 'Four streams are one too few.', { 'capture.har': har(ended(MINUTES.slice(0, 4))) })
  .negative('three-and-two', 'Three GET streams and two POST streams end at one age: too few of either kind.', {
    'capture.har': har(
      (() => {
        const tape = ended(MINUTES.slice(0, 3));
        const session = tape.join(S1);
        for (const ageMs of MINUTES.slice(3)) session.call(ageMs, 'export', {}, stream([], 'cut', ageMs));
        return tape;
      })(),
    ),
  })
  .negative('ages-apart', 'The ages lie seconds apart.', {
    'capture.har': har(ended([60_000, 63_000, 66_000, 69_000, 72_000])),
  })
  .negative('five-among-many', 'Five streams end at one age, but more than that at ages around it.', {
    'capture.har': har(ended([...MINUTES, 51_000, 53_100, 55_200, 57_300, 63_000, 66_000])),
  })
  .negative('seconds-old', 'The streams are closed within four seconds: no time-out is that short.', {
    'capture.har': har(ended([4_000, 4_010, 4_020, 4_030, 4_040])),
  })
  .negative('still-open', 'The streams were still open when the capture ended.', {
    'capture.har': har(ended(MINUTES, (reply) => meanwhile({ ...reply, end: 'open' }))),
  })
  .negative('refused', 'The requests were held for a minute and then refused: no streams.', {
    'capture.har': har(ended(MINUTES, () => ({ ...refusal(504, 'Gateway time-out'), tookMs: 60_000 }))),
  })
  .negative('answered', 'Five calls take a minute each and end with their answers.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const session = tape.open(S1);
        for (let id = 2; id < 7; id += 1) {
          session.call(id, 'export', { part: id }, stream([answer(null, id, 'done', 60_000)], 'complete'));
        }
        return tape;
      })(),
    ),
  })
  .negative('not-a-stream', 'Five plain answers that took a minute each.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const session = tape.open(S1);
        for (let id = 2; id < 7; id += 1) session.call(id, 'export', { part: id }, { ...result(id), tookMs: 60_000 });
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version has no listening streams to cut.', {
    'capture.har': har(ended(MINUTES, (reply) => ({ ...reply, events: [notice(null, 'one')] }), '2026-07-28')),
  });
