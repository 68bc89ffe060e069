import { describe, expect, it } from 'vitest';
import { timeScale } from '../../src/report/charts/time-scale.js';
import { drawnRole, mergeViews, pickStory } from '../../src/report/story.js';
import { renderTimelineSvg } from '../../src/report/timeline-svg.js';
import { spliceDocument, spliceTimeline } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';
import { rollingDeployDocument } from '../support/result-variants.js';
import { elements, parseXml } from '../support/xml.js';

describe('the picture of a timeline', () => {
  it('is well-formed SVG with a title, the seam, the event ids and the call that ran twice', () => {
    const svg = renderTimelineSvg(spliceTimeline(), 'Session S1');
    const root = parseXml(svg);
    expect(root.name).toBe('svg');
    expect(elements(root, 'title')[0]?.text).toBe('Session S1');
    const words = elements(root, 'text').map(({ text }) => text);
    expect(words).toContain('SEAM: S1 spliced into S2');
    expect(words).toContain('×2');
    expect(words).toContain('e100–e140');
    expect(words).toContain('10.20.0.14:8080');
    expect(elements(root, 'path').filter(({ attributes }) => attributes.class === 'seam')).toHaveLength(1);
  });

  it('gives every session a bar in a colour of its own', () => {
    const bars = elements(parseXml(renderTimelineSvg(spliceTimeline(), 'S1')), 'rect').filter(({ attributes }) =>
      attributes.class?.startsWith('bar '),
    );
    expect(bars.map(({ attributes }) => attributes.class)).toEqual(['bar c0', 'bar c1']);
  });

  it('folds what is too many into other sessions and other instances', () => {
    const [incident] = rollingDeployDocument().incidents;
    const words = elements(parseXml(renderTimelineSvg(incident?.timeline ?? [], 'deploy')), 'text').map(
      ({ text }) => text,
    );
    expect(words).toContain('… 3 other sessions');
    expect(words).toContain('… 3 other instances');
  });

  it('stays well-formed and without anything active, whatever the capture holds', () => {
    for (const payload of PAYLOADS) {
      const [incident] = hostileDocument(spliceDocument(), payload).incidents;
      const svg = renderTimelineSvg(incident?.timeline ?? [], payload);
      const names = new Set(
        elements(parseXml(svg), 'svg').flatMap(function walk(element): string[] {
          return [element.name, ...element.children.flatMap(walk)];
        }),
      );
      expect([...names].sort()).toEqual(expect.arrayContaining(['svg', 'text', 'title']));
      for (const name of names)
        expect(['svg', 'style', 'title', 'desc', 'rect', 'path', 'circle', 'text']).toContain(name);
    }
  });

  it('says so when there is nothing to draw', () => {
    expect(renderTimelineSvg([], 'S9')).toContain('nothing was captured of this session');
  });

  it('draws ten thousand entries as the ones that matter', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      ...spliceTimeline()[1]!,
      what: `POST /mcp · ping #${index} → 200`,
    }));
    const svg = renderTimelineSvg([...many, ...spliceTimeline()], 'S1');
    expect(svg.length).toBeLessThan(1_000_000);
    expect(svg).toContain('SEAM');
    expect(svg).toContain('9,609 entries left out');
  });
});

describe('pickStory', () => {
  it('keeps the order and the requests nearest to what went wrong', () => {
    const plain = { ...spliceTimeline()[1]! };
    const seam = spliceTimeline()[4]!;
    const timeline = [
      ...Array.from({ length: 50 }, (_, index) => ({ ...plain, what: `a${index}` })),
      seam,
      { ...plain, what: 'after' },
    ];
    expect(pickStory(timeline, 4).entries.map(({ what }) => what)).toEqual(['a48', 'a49', seam.what, 'after']);
  });
});

describe('the time scale', () => {
  it('has round steps and at most as many as asked for', () => {
    const from = Date.UTC(2026, 10, 12, 14, 0, 3);
    for (const span of [500, 20_000, 600_000, 86_400_000, 400 * 86_400_000]) {
      const scale = timeScale(from, from + span, 8);
      expect((scale.max - scale.min) / scale.interval).toBeLessThanOrEqual(10);
      expect(scale.min % scale.interval).toBe(0);
    }
    expect(timeScale(from, from + 600_000, 10).label(from)).toBe('14:00');
  });
});

describe('one exchange seen by client and proxy', () => {
  const client = { ...spliceTimeline()[4]!, backend: null };
  const proxy = { ...spliceTimeline()[4]!, source: 'nginx-access.jsonl', locator: 'line 6', lane: 'proxy' as const };

  it('is one row, with the events of the one and the instance of the other', () => {
    const [merged, ...rest] = mergeViews([proxy, client]);
    expect(rest).toEqual([]);
    expect(merged).toMatchObject({ source: 'capture.har', backend: '10.20.0.14:8080', lanes: ['proxy', 'client'] });
    expect(merged?.locator).toBe('entry 5, nginx-access.jsonl line 6');
  });

  it('stays two rows when the time, the session or the method differs, or one source shows both', () => {
    expect(mergeViews([client, { ...proxy, at: '2026-11-12T14:02:36.281Z' }])).toHaveLength(2);
    expect(mergeViews([client, { ...proxy, session: 'S9' }])).toHaveLength(2);
    expect(mergeViews([client, { ...proxy, what: 'POST /mcp → 200' }])).toHaveLength(2);
    expect(mergeViews([client, { ...client, locator: 'entry 6' }])).toHaveLength(2);
  });
});

describe('an answer', () => {
  it('is drawn as broken only when its words say so', () => {
    const fault = { ...spliceTimeline()[1]!, role: 'fault' as const };
    expect(drawnRole({ ...fault, what: 'POST /mcp · initialize → 200 · Mcp-Session-Id S1' })).toBe('request');
    expect(drawnRole({ ...fault, what: 'POST /mcp · tools/call x → 200 · stream cut' })).toBe('fault');
    expect(drawnRole({ ...fault, what: 'POST /mcp · tools/call x → 502' })).toBe('fault');
    expect(drawnRole({ ...fault, what: 'POST /mcp → no answer' })).toBe('fault');
  });
});
