import type { Detector } from '../../src/detect/registry.js';

const OPENS = '<!-- detectors -->\n';
const CLOSES = '<!-- /detectors -->';

/** The README's table of detectors, from their metadata. */
export function detectorTable(detectors: readonly Detector[]): string {
  const rows = detectors.map(({ meta }) => {
    const page = `[\`${meta.id}\`](queries/detectors/${meta.id}.md)`;
    const words = [...meta.needs, ...meta.wants.map((want) => `for all of it ${want}`)];
    const needs = words.map((word) => word.replaceAll('-', ' ')).join(', ');
    return `| ${page} | ${meta.title.replaceAll('|', '\\|')} | ${meta.severity} | ${needs} |\n`;
  });
  return `| Detector | What it finds | Severity | Needs |\n|---|---|---|---|\n${rows.join('')}`;
}

/** The README with the table between its marks. @throws Error without marks */
export function withTable(readme: string, table: string): string {
  const start = readme.indexOf(OPENS);
  const end = readme.indexOf(CLOSES);
  if (start < 0 || end < start) throw new Error('README.md has no place for the table of detectors');
  return `${readme.slice(0, start + OPENS.length)}${table}${readme.slice(end)}`;
}
