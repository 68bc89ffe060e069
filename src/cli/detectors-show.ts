import { type Detector, loadRegistry } from '../detect/registry.js';
import { PostmortemError } from '../error.js';
import { escapeTerminal } from '../report/escape.js';
import type { Column } from '../report/rows.js';
import type { DetectorsOptions, OwnDetectors } from './detectors.js';
import { EXIT } from './exit-code.js';
import { writeStdout } from './out.js';
import { rowFormats, writeRows } from './row-report.js';

const COLUMNS: readonly Column[] = [
  { key: 'id', title: 'Detector', minWidth: 24 },
  { key: 'severity', title: 'Severity' },
  { key: 'title', title: 'Title', minWidth: 30 },
  { key: 'needs', title: 'Needs' },
  { key: 'era', title: 'Era', wideOnly: true },
  { key: 'params', title: 'Parameters', wideOnly: true },
  { key: 'origin', title: 'Origin', wideOnly: true },
];

/** `detectors list`. @returns the exit code */
export async function listDetectors(options: DetectorsOptions): Promise<number> {
  rowFormats(options);
  const { detectors } = await loadRegistry(options.queries ?? null);
  const rows = detectors.map(({ meta, origin }) => ({
    id: meta.id,
    severity: meta.severity,
    title: meta.title,
    needs: meta.needs,
    era: meta.era,
    params: Object.keys(meta.params),
    origin,
  }));
  await writeRows({ rows, columns: COLUMNS, noun: 'detector' }, options);
  return EXIT.judged;
}

/** `detectors explain ID`. @returns the exit code. @throws PostmortemError `usage` */
export async function explainDetector(id: string, options: OwnDetectors): Promise<number> {
  const { detectors } = await loadRegistry(options.queries ?? null);
  const detector = detectors.find(({ meta }) => meta.id === id);
  if (detector === undefined) {
    throw new PostmortemError('usage', `there is no detector "${id}"`, '`mcp-postmortem detectors list` shows all.');
  }
  const lines = explanation(detector).split('\n').map(escapeTerminal);
  await writeStdout(`${lines.join('\n')}\n`);
  return EXIT.judged;
}

function explanation({ meta, page, path }: Detector): string {
  const params = Object.entries(meta.params).map(([name, param]) => {
    const bounds = param.min === null && param.max === null ? '' : `, ${param.min ?? '…'} to ${param.max ?? '…'}`;
    return `  ${name}: ${param.type}, default ${param.default}${bounds}`;
  });
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => (item.startsWith('  ') ? item : `  - ${item}`))];
  return [
    `${meta.id}: ${meta.title}`,
    '',
    `Severity: ${meta.severity}`,
    `Needs: ${meta.needs.join(', ') || 'nothing beyond requests'}`,
    ...(meta.era === null ? [] : [`Era: ${meta.era}`]),
    `Says: ${meta.explanation}`,
    `Do: ${meta.remedy}`,
    ...section('Parameters (--param ID.NAME=VALUE)', params),
    ...section('May be wrong for', meta.falsePositives),
    ...section('References', meta.references),
    '',
    `SQL: ${path}`,
    ...(page === null ? [] : ['', page.trimEnd()]),
  ].join('\n');
}
