/** The parts of SARIF 2.1.0 that reports use, stricter than the standard: what is not listed is a fault. */
const text = { type: 'string', minLength: 1 };
const message = { type: 'object', properties: { text }, required: ['text'], additionalProperties: false };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const uri = { type: 'string', pattern: "^[A-Za-z0-9%/._~!*'()-]+$", format: 'uri-reference' };
const artifactLocation = { type: 'object', properties: { uri }, required: ['uri'], additionalProperties: false };

function exact(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

const location = exact(
  {
    id: { type: 'integer', minimum: 0 },
    physicalLocation: exact(
      {
        artifactLocation,
        region: exact({ startLine: { type: 'integer', minimum: 1, maximum: 2147483647 } }, ['startLine']),
      },
      ['artifactLocation', 'region'],
    ),
    logicalLocations: { type: 'array', items: exact({ name: text, fullyQualifiedName: text }, ['name']) },
    message,
  },
  ['physicalLocation'],
);

const rule = exact(
  {
    id: text,
    name: text,
    shortDescription: message,
    help: message,
    helpUri: { type: 'string', format: 'uri' },
    defaultConfiguration: exact({ level }, ['level']),
    properties: { type: 'object', properties: { tags: { type: 'array', uniqueItems: true, items: text } } },
  },
  ['id', 'shortDescription'],
);

const result = exact(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    // GitHub code scanning shows no result without a location.
    locations: { type: 'array', minItems: 1, maxItems: 1, items: location },
    relatedLocations: { type: 'array', items: location, uniqueItems: true },
    partialFingerprints: { type: 'object', required: ['primaryLocationLineHash'], additionalProperties: text },
    baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
    properties: { type: 'object' },
  },
  ['ruleId', 'level', 'message', 'locations', 'partialFingerprints'],
);

const invocation = exact(
  {
    executionSuccessful: { type: 'boolean' },
    commandLine: text,
    toolExecutionNotifications: { type: 'array', items: exact({ level, message }, ['message']) },
  },
  ['executionSuccessful'],
);

const artifact = exact(
  {
    location: artifactLocation,
    length: { type: 'integer', minimum: 0 },
    hashes: { type: 'object', additionalProperties: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
    roles: { type: 'array', uniqueItems: true, items: { enum: ['analysisTarget'] } },
  },
  ['location'],
);

const driver = exact({ name: text, semanticVersion: text, rules: { type: 'array', items: rule } }, ['name', 'rules']);

export const SARIF_SCHEMA = exact(
  {
    $schema: { type: 'string', format: 'uri' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: exact(
        {
          tool: exact({ driver }, ['driver']),
          automationDetails: exact({ id: text }, ['id']),
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          invocations: { type: 'array', items: invocation },
          artifacts: { type: 'array', items: artifact, uniqueItems: true },
          results: { type: 'array', maxItems: 25_000, items: result },
        },
        ['tool', 'results'],
      ),
    },
  },
  ['$schema', 'version', 'runs'],
);

const counts = Object.fromEntries(
  ['tests', 'failures', 'errors', 'skipped'].map((name) => [name, { type: 'string', pattern: '^\\d+$' }]),
);

function element(name: string, attributes: object, required: readonly string[], children: object): object {
  return exact(
    {
      name: { const: name },
      attributes: exact(attributes, required),
      children: { type: 'array', items: children },
      text: { type: 'string' },
    },
    ['name', 'attributes', 'children'],
  );
}

const nothing = { not: {} };
const problem = (name: string): object => element(name, { type: text, message: text }, ['message'], nothing);
const testcase = element('testcase', { classname: text, name: text }, ['classname', 'name'], {
  anyOf: [problem('failure'), problem('error'), problem('skipped'), element('system-out', {}, [], nothing)],
});

/** JUnit XML as Jenkins, GitLab and GitHub's reporters read it, over the elements of `parseXml`. */
export const JUNIT_SCHEMA = element(
  'testsuites',
  { name: text, ...counts },
  ['tests', 'failures', 'errors'],
  element('testsuite', { name: text, ...counts }, ['name', 'tests', 'failures', 'errors', 'skipped'], testcase),
);
