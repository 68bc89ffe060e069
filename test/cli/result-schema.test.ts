import { existsSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { analyzeFiles } from '../../src/cli/analyze-files.js';
import { factSchemas } from '../../src/cli/fact-schemas.js';
import { type DetectorFacts, resultSchema } from '../../src/report/result-schema.js';
import { spliceDocument } from '../support/result.js';

const CASES = '../shared/corpus/cases';
const FOLDERS = [
  ...['rolling-deploy', 'logs', 'traces'].map((name) => `samples/${name}`),
  ...readdirSync('samples/detectors').map((name) => `samples/detectors/${name}`),
  ...(existsSync(CASES) ? [CASES] : []),
].filter((folder) => existsSync(folder));

let facts: DetectorFacts[];
let errorsOf: (document: unknown) => string;
beforeAll(async () => {
  facts = await factSchemas();
  const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(resultSchema(facts));
  errorsOf = (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('\n');
  };
});

describe('the published schema of the result document', () => {
  test.each(FOLDERS)('is met by the document of %s', async (folder) => {
    expect(errorsOf(await analyzeFiles([folder], { timing: true }))).toBe('');
  });

  test('knows the facts of every built-in detector', () => {
    expect(facts.map(({ id }) => id)).toEqual(readdirSync('samples/detectors').sort());
    const merge = facts.find(({ id }) => id === 'epoch-merge');
    expect(merge?.facts).toMatchObject({
      trigger: { type: ['string', 'null'] },
      requests: { type: ['integer', 'null'] },
    });
  });

  test('refuses a fact that the detector does not tell, and one of another type', async () => {
    const { findings, ...document } = await analyzeFiles(['samples/rolling-deploy']);
    const [first, ...others] = findings;
    const withFacts = (changed: object) => ({
      ...document,
      findings: [{ ...first, facts: { ...first!.facts, ...changed } }, ...others],
    });
    expect(errorsOf(withFacts({}))).toBe('');
    expect(errorsOf(withFacts({ surprise: 1 }))).toContain('/findings/0/facts');
    const [name] = Object.keys(first!.facts);
    expect(errorsOf(withFacts({ [name!]: { a: 1 } }))).toContain(`/findings/0/facts/${name}`);
  });

  test('leaves the facts of detectors of a user alone', () => {
    const document = spliceDocument();
    const finding = { ...document.findings[0]!, detector: 'my-own', facts: { anything: 'goes' } };
    expect(errorsOf({ ...document, findings: [finding] })).toBe('');
  });
});
