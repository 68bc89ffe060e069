import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/schedule/config.js';
import { configSchema } from '../../src/schedule/config-schema.js';
import { configTemplate } from '../../src/schedule/config-template.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(text: string): string {
  const path = join(folder, 'mcp-postmortem.yaml');
  writeFileSync(path, text);
  return path;
}

async function problem(text: string): Promise<string> {
  const path = written(text);
  const error: unknown = await loadConfig(path, {}).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'config-invalid' });
  return (error as Error).message.slice(path.length);
}

const INPUTS = 'inputs:\n  - path: in\n';

describe('a wrong configuration is refused, with the line', () => {
  test.each([
    ['a mistyped key', `${INPUTS}latenes: 1h\n`, ':3: unknown key "latenes"; did you mean "lateness"?'],
    ['underscores', `${INPUTS}fail_on: high\n`, ':3: unknown key "fail_on"; did you mean "fail-on"?'],
    [
      'a key at the wrong depth',
      `${INPUTS}outputs:\n  retention: 1d\n`,
      ':4: unknown key "retention" in "outputs"; known: folder',
    ],
    ['a key of prototypes', `${INPUTS}__proto__: 1\n`, ':3: unknown key "__proto__"'],
    [
      'a mistyped key of an input',
      'inputs:\n  - paht: in\n',
      ':2: unknown key "paht" in "inputs[]"; did you mean "path"?',
    ],
    ['an input without a path', 'inputs:\n  - format: har\n', ':2: "inputs[]" lacks "path"'],
    ['no inputs', 'state: x\n', ':1: the file lacks "inputs"'],
    ['an empty list of inputs', 'inputs: []\n', ':1: "inputs" is an empty list'],
    ['no list of inputs', 'inputs: in\n', ':1: "inputs" must be a list'],
    ['a severity that is none', `${INPUTS}fail-on: hihg\n`, ':3: "fail-on" must be one of'],
    ['a duration without a unit', `${INPUTS}lateness: 30\n`, ':3: "lateness" must be a text'],
    ['a duration with another unit', `${INPUTS}lateness: 3 hours\n`, ':3: "lateness" is not written as it must be.'],
    ['a number out of bounds', `${INPUTS}outputs:\n  keep: 0\n`, ':4: "outputs.keep" must be from 1 to 10000'],
    ['a key without a value', `${INPUTS}state:\n`, ':3: "state" must be a text'],
    ['an alias', `${INPUTS}detectors: &a\n  skip: [x]\nretention: *a\n`, ':5: "retention" is an alias'],
    ['a key that is there twice', `${INPUTS}strict: true\nstrict: false\n`, ':4: Map keys must be unique'],
    ['broken YAML', 'inputs: [\n', ':'],
    ['nothing', '', ':1: is empty'],
    [
      'a suppression without a reason',
      `${INPUTS}suppressions:\n  - detector: event-gap\n`,
      ':4: "suppressions[]" lacks "reason"',
    ],
    [
      'a receiver without a URL',
      `${INPUTS}notifications:\n  - name: a\n`,
      ': notification "a" needs either url or url-from',
    ],
    [
      'a receiver with another scheme',
      `${INPUTS}notifications:\n  - { name: a, url: "file:///etc/passwd" }\n`,
      ': notification "a" has no http',
    ],
  ])('%s', async (_, text, message) => {
    const found = await problem(text);
    expect(found.startsWith(message) || found.includes(message)).toBe(true);
  });

  test('a value is not told when it may be a secret', async () => {
    expect(await problem(`${INPUTS}notifications:\n  - { name: a, url: "ftp://u:hunter2@host" }\n`)).not.toContain(
      'hunter2',
    );
  });
});

describe('what `init` writes', () => {
  test('is a configuration, with every key of the schema in it', async () => {
    const config = await loadConfig(written(configTemplate()), {});
    expect(config).toMatchObject({ failOn: 'high', formats: ['html', 'json', 'md'], strict: false });
    for (const key of keysOf(configSchema())) expect(configTemplate()).toContain(`${key}:`);
  });

  test('is one still when every comment mark before a key is taken off', () => {
    const uncommented = configTemplate().replace(/^#(?=\S| {2,})/gm, '');
    const validate = new Ajv2020({ strict: false }).compile(configSchema());
    validate(parse(uncommented));
    expect(validate.errors ?? []).toEqual([]);
  });
});

test('the published schema and the product refuse the same keys', () => {
  const validate = new Ajv2020({ strict: false }).compile(configSchema());
  expect(validate({ inputs: [{ path: 'in' }], 'fail-on': 'high' })).toBe(true);
  expect(validate({ inputs: [{ path: 'in' }], fail_on: 'high' })).toBe(false);
  expect(validate({ inputs: [{ path: 'in' }], lateness: '3 hours' })).toBe(false);
});

test('paths are relative to the file, and the URL of a receiver can come from the environment', async () => {
  const path = written(`${INPUTS}notifications:\n  - { name: chat, kind: slack, url-from: HOOK }\n`);
  const config = await loadConfig(path, { HOOK: 'https://hooks.example.test/T0/B0' });
  expect(config.inputs[0]?.path).toBe(join(folder, 'in'));
  expect(config.receivers[0]).toMatchObject({ kind: 'slack', url: 'https://hooks.example.test/T0/B0' });
  expect((await loadConfig(path, {})).receivers[0]?.url).toBeNull();
});

function keysOf(schema: Record<string, unknown>): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  const items = (schema.items ?? {}) as Record<string, unknown>;
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(keysOf),
    ...(schema.items ? keysOf(items) : []),
  ];
}
