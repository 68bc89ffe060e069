import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { displayWidth, wrap } from '../../src/report/ansi.js';
import { render } from '../../src/report/render.js';
import {
  renderRowsCsv,
  renderRowsJson,
  renderRowsMarkdown,
  renderRowsNdjson,
  renderTable,
} from '../../src/report/rows.js';
import { cleanDocument, spliceDocument } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';
import { hugeDocument, rollingDeployDocument, unprovenDocument } from '../support/result-variants.js';

describe('the terminal report', () => {
  it('says on the first screen whether it is bad, what happened, since when and what to do', async () => {
    const screen = (await render(spliceDocument(), 'table', { width: 100 })).split('\n').slice(0, 24).join('\n');
    expect(screen).toMatch(/^CRITICAL +1 incident, 3 findings: 1 critical, 1 high, 1 medium\.$/m);
    expect(screen).toMatch(/^What +The stream of create_issue in session S1 ended/m);
    expect(screen).toMatch(/^Since +2026-11-12 14:02:13 UTC$/m);
    expect(screen).toMatch(/^Do +1\. Reconcile 2 calls by hand/m);
    expect(screen).toMatch(/0 failed loudly.*2 diverged silently/);
  });

  it('names the evidence with file and place', async () => {
    const text = (await render(spliceDocument(), 'table', { width: 200 })).replace(/\s+/g, ' ');
    expect(text).toContain('capture.har entry 5: GET /mcp · Mcp-Session-Id S1 · Last-Event-ID e140 → 200');
  });

  it('says 0 findings clearly', async () => {
    const text = await render(cleanDocument(), 'table');
    expect(text).toMatch(/^CLEAN +0 findings: 14 detectors judged everything/m);
    expect(text).toMatch(/^ {2}0 findings$/m);
  });

  it('never calls a run clean that could not judge everything', async () => {
    const text = await render(unprovenDocument(), 'table');
    expect(text).not.toMatch(/CLEAN/);
    expect(text).toMatch(/^UNPROVEN +0 findings, but not everything could be judged \(10 of 14 detectors judged/m);
    expect(text).toMatch(/ERROR +misattributed-result: .*out of memory/);
    expect(text).toMatch(/NOT-APPLICABLE +replayed-events, event-gap: No source carries event ids/);
    expect(text).toMatch(/PARTIAL +epoch-merge/);
    expect(text).toMatch(/broken\.har could not be read: ends inside a string/);
    expect(text).toMatch(/old\.log line 17 rejected: no request line/);
  });

  it('does not call a run without MCP traffic clean', async () => {
    const document = cleanDocument({ totals: { ...cleanDocument().totals, exchanges: 0 } });
    expect(await render(document, 'table')).toMatch(/^UNPROVEN/m);
  });

  it('caps long lists, says how many are left and how to see them; wide shows all', async () => {
    const short = await render(rollingDeployDocument(), 'table');
    expect(short).toMatch(/31 more findings: --wide/);
    const wide = await render(rollingDeployDocument(), 'table', { wide: true });
    expect(wide.match(/stale-session-reuse definite/g)).toHaveLength(40);
  });

  it('stays on a few screens for ten thousand findings', async () => {
    expect((await render(hugeDocument(), 'table')).split('\n').length).toBeLessThan(200);
  });

  it('keeps within the width of the terminal', async () => {
    for (const width of [60, 80, 120]) {
      const text = await render(rollingDeployDocument(), 'table', { width, wide: true });
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width + 8);
    }
  });

  it('colours only when told to, and the words are the same', async () => {
    const plain = await render(unprovenDocument(), 'table');
    const coloured = await render(unprovenDocument(), 'table', { color: true });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  it('prints no control character of a capture, with colours either', async () => {
    for (const payload of PAYLOADS) {
      const text = await render(hostileDocument(spliceDocument(), payload), 'table', { color: true });
      expect(text.replace(/\u001b\[\d{1,2}m/g, '')).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }
  });
});

describe('lists of rows', () => {
  const columns = [
    { key: 'session', title: 'Session', minWidth: 6 },
    { key: 'tool', title: 'Tool' },
    { key: 'calls', title: 'Calls', align: 'right' },
    { key: 'digest', title: 'Digest', wideOnly: true },
  ] as const;
  const rows = [
    { session: 'S1', tool: 'create_issue', calls: 2, digest: 'abc' },
    { session: null, tool: '=cmd()', calls: -1, digest: '\u001b[31m' },
  ];

  it('become a table whose columns line up', () => {
    expect(renderTable(rows, columns)).toBe(
      'Session  Tool          Calls\nS1       create_issue      2\n–        =cmd()           -1\n',
    );
  });

  it('show rare columns only with wide', () => {
    expect(renderTable(rows, columns)).not.toContain('abc');
    expect(renderTable(rows, columns, { wide: true })).toContain('\\x1b[31m');
  });

  it('fit a narrow terminal by shortening the widest column', () => {
    const long = [{ session: 'S'.repeat(200), tool: 't', calls: 1, digest: '' }];
    for (const line of renderTable(long, columns, { width: 60 }).trimEnd().split('\n'))
      expect(displayWidth(line)).toBeLessThanOrEqual(60);
  });

  it('say when there are none, and how many are left', () => {
    expect(renderTable([], columns, { noun: 'session' })).toBe('0 sessions\n');
    const many = Array.from({ length: 300 }, () => ({ session: 'S1' }));
    expect(renderTable(many, columns, { noun: 'session' })).toMatch(/100 more sessions: --wide, --format csv/);
  });

  it('have every row and column in CSV, JSON and NDJSON', () => {
    expect(renderRowsCsv(rows, columns)).toBe(
      "session,tool,calls,digest\r\nS1,create_issue,2,abc\r\n,'=cmd(),-1,\\x1b[31m\r\n",
    );
    expect(JSON.parse(renderRowsJson(rows, columns))).toEqual(rows);
    expect(renderRowsJson([], columns)).toBe('[]\n');
    expect(
      renderRowsNdjson(rows, columns)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
  });

  it('become a Markdown table with data in code spans', () => {
    expect(renderRowsMarkdown([{ session: 'a|b', tool: null, calls: 3 }], columns)).toContain('| `a\\|b` |   | 3 |');
  });

  it('print ten thousand rows within seconds', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      session: `S${index}`,
      tool: 'x',
      calls: index,
      digest: 'd',
    }));
    const started = performance.now();
    expect(renderTable(many, columns, { wide: true }).split('\n')).toHaveLength(10_002);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('wrap', () => {
  it('breaks at spaces, and a longer word where it must', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghijkl', 8)).toEqual(['abcdefgh', 'ijkl']);
    expect(wrap('', 8)).toEqual(['']);
  });

  it('counts wide characters as two columns', () => {
    expect(displayWidth('東京a')).toBe(5);
    expect(wrap('東京東京東京', 8)).toEqual(['東京東京', '東京']);
  });
});
