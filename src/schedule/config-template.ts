import { CONFIG_SCHEMA, type ConfigSchema } from './config-schema.js';

/** Values that show what is meant, for keys without a default. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'inputs[].path': '/var/log/nginx/mcp*.log',
  'inputs[].format': 'access-log',
  'inputs[].log-format': `'$remote_addr [$time_iso8601] "$request" $status $http_mcp_session_id'`,
  'inputs[].map': 'session=$.headers.sid,method=$.verb',
  'inputs[].vantage': 'proxy',
  'inputs[].zone': 'Europe/Berlin',
  'detectors.only': '[epoch-merge, duplicate-tool-call]',
  'detectors.skip': '[weak-session-id]',
  'detectors.params': '{ load-correlated-failure.alpha: 0.01 }',
  'detectors.queries': 'detectors',
  suppressions: 'suppressions.yaml',
  baseline: 'baseline.json',
  'outputs.formats': '[html, json, md]',
  'outputs.prometheus': '/var/lib/node_exporter/textfile/mcp_postmortem.prom',
  'outputs.otlp': 'reports/findings.otlp.json',
  'outputs.otlp-endpoint': 'http://localhost:4318',
  'notifications[].name': 'on-call',
  'notifications[].url': 'https://hooks.example.com/mcp',
  'notifications[].url-from': 'SLACK_WEBHOOK_URL',
  'memory-limit': '500MB',
  threads: '2',
};

/** A configuration that works once the path of the input is right: every key, explained, with its default. */
export function configTemplate(): string {
  const keys = Object.entries(CONFIG_SCHEMA.properties ?? {});
  const head = [
    '# Configuration of `mcp-postmortem run`. A key behind # has the value that it has anyway, or is an example.',
  ];
  return `${[...head, ...keys.flatMap(([name, schema]) => ['', ...keyLines(name, schema, name, '', name === 'inputs')])].join('\n')}\n`;
}

/** @param isOn whether the key is in force; otherwise it is commented out */
function keyLines(name: string, schema: ConfigSchema, path: string, indent: string, isOn: boolean): string[] {
  const mark = isOn ? '' : '# ';
  const about = `${indent}# ${schema.description ?? ''}`;
  if (schema.type === 'object' && schema.properties !== undefined) {
    const inner = Object.entries(schema.properties);
    return [
      about,
      `${indent}${mark}${name}:`,
      ...inner.flatMap(([key, one]) => keyLines(key, one, `${path}.${key}`, `${indent}${isOn ? '' : mark}  `, isOn)),
    ];
  }
  if (schema.type === 'array' && schema.items?.properties !== undefined) {
    const inner = Object.entries(schema.items.properties);
    const lines = inner.flatMap(([key, one], index) => {
      const isFirst = index === 0;
      const item = keyLines(key, one, `${path}[].${key}`, '', isOn && isFirst);
      return item.map((line, nth) => {
        const lead = isFirst && nth === item.length - 1 ? '  - ' : '    ';
        return `${indent}${mark}${lead}${line}`;
      });
    });
    return [about, `${indent}${mark}${name}:`, ...lines];
  }
  return [about, `${indent}${mark}${name}: ${EXAMPLES[path] ?? String(schema.default ?? schema.enum?.[0] ?? '')}`];
}
