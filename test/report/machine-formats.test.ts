import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { formatOfPath, REPORT_FORMATS, render } from '../../src/report/render.js';
import type { ResultDocument } from '../../src/report/result-document.js';
import { resultSchema } from '../../src/report/result-schema.js';
import { JUNIT_SCHEMA, SARIF_SCHEMA } from '../support/report-schemas.js';
import { cleanDocument, spliceDocument } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';
import { detectorPages, hugeDocument, rollingDeployDocument, unprovenDocument } from '../support/result-variants.js';
import { elements, parseXml } from '../support/xml.js';

const DOCUMENTS: readonly (readonly [string, ResultDocument])[] = [
  ['the splice', spliceDocument()],
  ['a rolling deploy', rollingDeployDocument()],
  ['a clean run', cleanDocument()],
  ['a run that could not judge', unprovenDocument()],
];
const HOSTILE = PAYLOADS.map((payload) => hostileDocument(spliceDocument(), payload));
const ACTIVE = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

function ajv(): Ajv {
  const instance = new Ajv({ strict: false, allErrors: true });
  addFormats.default(instance);
  return instance;
}

describe('render', () => {
  it('finds the format by the extension of --out', () => {
    expect(
      ['a.json', 'b.NDJSON', 'c.md', 'd.html', 'e.csv', 'f.sarif', 'g.sarif.json', 'h.xml'].map(formatOfPath),
    ).toEqual(['json', 'ndjson', 'md', 'html', 'csv', 'sarif', 'sarif', 'junit']);
    expect(() => formatOfPath('report.doc')).toThrow(/no report format/);
    expect(() => formatOfPath('constructor')).toThrow(/no report format/);
    expect(() => formatOfPath('a.constructor')).toThrow(/no report format/);
  });

  it('gives the same bytes for the same document, whatever was rendered before', async () => {
    for (const format of REPORT_FORMATS) {
      const once = await render(rollingDeployDocument(), format, { pages: detectorPages() });
      await render(spliceDocument(), format);
      expect(await render(rollingDeployDocument(), format, { pages: detectorPages() })).toBe(once);
    }
  });

  it('takes a document with a hostile string in every place, in every format', async () => {
    for (const document of HOSTILE) {
      for (const format of REPORT_FORMATS) {
        const text = await render(document, format, { color: false });
        expect(text.endsWith('\n')).toBe(true);
        expect(text.replaceAll('\r\n', '\n')).not.toMatch(ACTIVE);
        for (const key in {}) expect.fail(`${format} left ${key} on every object`);
      }
    }
  }, 120_000);
});

describe('JSON', () => {
  it.each(DOCUMENTS)('of %s is the document', async (_name, document) => {
    expect(JSON.parse(await render(document, 'json'))).toEqual(document);
  });

  it('keeps hostile values as they are', async () => {
    for (const document of HOSTILE) expect(JSON.parse(await render(document, 'json'))).toEqual(document);
  });

  it('as lines has one object for the run and one for each part', async () => {
    const document = unprovenDocument();
    const lines = (await render(document, 'ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const kinds = lines.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'run')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'source')).toHaveLength(document.sources.length);
    expect(kinds.filter((kind) => kind === 'detector')).toHaveLength(document.detectors.length);
    expect(lines[0].notJudged).toEqual(document.notJudged);
  });
});

describe('the result schema', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    resultSchema([
      {
        id: 'epoch-merge',
        facts: { trigger: { enum: ['resume', 'request'] }, consequence: {}, last_event_id: {}, first_event_id: {} },
      },
    ]),
  );

  it.each(DOCUMENTS)('takes %s', (_name, document) => {
    validate(document);
    expect(validate.errors).toBeNull();
  });

  it('refuses unknown fields, missing fields and wrong values', () => {
    const document = spliceDocument();
    expect(validate({ ...document, extra: 1 })).toBe(false);
    expect(validate({ ...document, totals: { ...document.totals, events: -1 } })).toBe(false);
    const { notJudged: _notJudged, ...without } = document;
    expect(validate(without)).toBe(false);
    const badTime = document.findings.map((finding) => ({ ...finding, at: '2026-11-12 14:02' }));
    expect(validate({ ...document, findings: badTime })).toBe(false);
  });

  it('knows the facts of a detector', () => {
    const document = spliceDocument();
    const findings = document.findings.map((finding) => ({ ...finding, facts: { trigger: 'sometimes' } }));
    expect(validate({ ...document, findings: findings.filter(({ detector }) => detector !== 'epoch-merge') })).toBe(
      true,
    );
    expect(validate({ ...document, findings })).toBe(false);
  });
});

describe('CSV', () => {
  it('has a row for each finding with the first place in columns of its own', async () => {
    const rows = (await render(spliceDocument(), 'csv')).split('\r\n');
    expect(rows[0]).toMatch(/^id,detector,severity/);
    expect(rows).toHaveLength(1 + 3 + 1);
    expect(rows[1]).toContain(',capture.har,entry 5,');
  });

  it('has no cell that a spreadsheet takes for a formula', async () => {
    for (const document of HOSTILE) {
      for (const row of (await render(document, 'csv')).split('\r\n')) {
        for (const cell of row.match(/"(?:[^"]|"")*"|[^,]+/g) ?? []) expect(cell).not.toMatch(/^"?\s*[=+\-@]/);
      }
    }
  });
});

describe('SARIF', () => {
  const validate = ajv().compile(SARIF_SCHEMA);

  it.each(DOCUMENTS)('of %s is what GitHub code scanning accepts', async (_name, document) => {
    validate(JSON.parse(await render(document, 'sarif', { pages: detectorPages() })));
    expect(validate.errors).toBeNull();
  });

  it('stays valid with hostile strings, and no message holds a link', async () => {
    for (const document of HOSTILE) {
      const text = await render(document, 'sarif');
      validate(JSON.parse(text));
      expect(validate.errors).toBeNull();
      for (const result of JSON.parse(text).runs[0].results)
        expect(result.message.text).not.toMatch(/(?<!\\)\[[^\]]*\]\(/);
    }
  });

  it('points to the line of a log and carries the finding id as fingerprint', async () => {
    const log = JSON.parse(await render(rollingDeployDocument(), 'sarif'));
    const [result] = log.runs[0].results;
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'nginx-access.jsonl' },
      region: { startLine: 4711 },
    });
    expect(result.partialFingerprints.primaryLocationLineHash).toBe('0000000000000001:1');
    expect(log.runs[0].tool.driver.rules[result.ruleIndex].id).toBe('load-correlated-failure');
  });

  it('tells of sources and detectors that could not be judged, and does not call that a success', async () => {
    const [run] = JSON.parse(await render(unprovenDocument(), 'sarif')).runs;
    expect(run.invocations[0].executionSuccessful).toBe(false);
    const told = run.invocations[0].toolExecutionNotifications.map(
      (item: { message: { text: string } }) => item.message.text,
    );
    expect(told.join('\n')).toMatch(/broken\.har/);
    expect(told.join('\n')).toMatch(/misattributed-result is error/);
    expect(told.join('\n')).toMatch(/event-gap is not-applicable/);
  });

  it('gives a finding without evidence a location, which GitHub insists on', async () => {
    const document = spliceDocument();
    const findings = document.findings.map((finding) => ({ ...finding, evidence: [] }));
    validate(JSON.parse(await render({ ...document, findings }, 'sarif')));
    expect(validate.errors).toBeNull();
  });
});

describe('JUnit XML', () => {
  const validate = ajv().compile(JUNIT_SCHEMA);

  it.each(DOCUMENTS)('of %s is well-formed and of the known shape', async (_name, document) => {
    validate(parseXml(await render(document, 'junit')));
    expect(validate.errors).toBeNull();
  });

  it('stays well-formed with hostile strings', async () => {
    for (const document of HOSTILE) {
      validate(parseXml(await render(document, 'junit')));
      expect(validate.errors).toBeNull();
    }
  });

  it('fails on new findings at or above the threshold only', async () => {
    const failures = async (document: ResultDocument, failOn: 'high' | 'medium' | 'never'): Promise<number> =>
      elements(parseXml(await render(document, 'junit', { failOn })), 'failure').length;
    const known = {
      ...spliceDocument(),
      findings: spliceDocument().findings.map((finding) => ({ ...finding, state: 'known' as const })),
    };
    expect(await failures(spliceDocument(), 'high')).toBe(2);
    expect(await failures(spliceDocument(), 'medium')).toBe(3);
    expect(await failures(spliceDocument(), 'never')).toBe(0);
    expect(await failures(known, 'high')).toBe(0);
  });

  it('never lets a detector that could not judge pass', async () => {
    const root = parseXml(await render(unprovenDocument(), 'junit'));
    for (const [suite, outcome] of [
      ['epoch-merge', 'skipped'],
      ['event-gap', 'skipped'],
      ['misattributed-result', 'error'],
    ]) {
      const found = elements(root, 'testsuite').find(({ attributes }) => attributes.name === suite);
      expect(found?.children[0]?.children[0]?.name).toBe(outcome);
    }
    expect(root.attributes).toMatchObject({ errors: '2', failures: '0' });
  });
});

describe('ten thousand findings', () => {
  it('render in every format within seconds', async () => {
    const document = hugeDocument();
    for (const format of REPORT_FORMATS) {
      const started = performance.now();
      expect((await render(document, format)).length).toBeGreaterThan(0);
      expect(performance.now() - started, format).toBeLessThan(8000);
    }
  });
});
