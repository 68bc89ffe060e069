/** Options that change what a report says; others (formats, files, colours) do not, and are left out of it. */
const TELLING = new Set([
  'inputFormat',
  'logFormat',
  'map',
  'vantage',
  'zone',
  'since',
  'until',
  'last',
  'only',
  'skip',
  'minSeverity',
  'param',
  'queries',
  'suppress',
  'baseline',
]);

/** The command as it stands in the report: paths sorted, so that their order changes nothing. */
export function commandLine(command: string, paths: readonly string[], options: object): string {
  const words = ['mcp-postmortem', command];
  for (const [name, value] of Object.entries(options)) {
    if (!TELLING.has(name) || value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (name === 'param') for (const item of value as string[]) words.push(flag, item);
    else words.push(flag, Array.isArray(value) ? value.join(',') : String(value));
  }
  return [...words, ...[...paths].sort()].map(quoted).join(' ');
}

/** POSIX quoting. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
