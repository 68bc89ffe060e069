import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { PostmortemError } from '../error.js';

/** Hides findings that someone has looked at and accepted. At least one of the three says which. */
export interface Suppression {
  readonly detector: string | null;
  /** As printed, or the whole id. */
  readonly session: string | null;
  readonly finding: string | null;
  readonly reason: string;
  /** `2026-12-31`: what happens after that day (UTC) is shown again. */
  readonly expires: string | null;
  /** Where the file says so. */
  readonly line: number;
}

/** As much of a finding as decides whether it is suppressed. */
export interface Suppressible {
  readonly id: string;
  readonly detector: string;
  readonly sessions: readonly string[];
  readonly at: string | null;
}

export interface Suppressed<T> {
  readonly kept: readonly T[];
  readonly suppressed: readonly { readonly finding: T; readonly by: Suppression }[];
  /** Entries that hid nothing: mistyped, repaired, or expired. */
  readonly unused: readonly Suppression[];
}

const KEYS = ['detector', 'session', 'finding', 'reason', 'expires'] as const;

/**
 * Reads `--suppress FILE`: a YAML or JSON list of `{ detector, session, finding, reason, expires }`.
 * @throws PostmortemError `config-invalid`, naming file and line
 */
export async function readSuppressions(path: string): Promise<Suppression[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new PostmortemError('config-invalid', `${path}: cannot be read`, 'Check the path of --suppress.', { cause });
  });
  return parseSuppressions(path, text);
}

export function parseSuppressions(path: string, text: string): Suppression[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core' });
  const fail = (offset: number, problem: string) =>
    new PostmortemError(
      'config-invalid',
      `${path}:${lines.linePos(offset).line || 1}: ${problem}`,
      'An entry is { detector, session or finding; reason; expires: YYYY-MM-DD }.',
    );
  const broken = document.errors[0];
  if (broken !== undefined) throw fail(broken.pos[0], broken.message.split('\n')[0] ?? '');
  if (document.contents === null) return [];
  if (!isSeq(document.contents)) throw fail(0, 'is no list');
  return document.contents.items.map((item) => {
    const offset = isMap(item) ? (item.range?.[0] ?? 0) : 0;
    if (!isMap(item)) throw fail(offset, 'an entry is no { key: value, … }');
    const fields = new Map<string, string>();
    for (const pair of item.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      if (!KEYS.some((known) => known === key)) throw fail(offset, `unknown key "${key}"`);
      if (!isScalar(pair.value) || typeof pair.value.value !== 'string' || pair.value.value === '') {
        throw fail(offset, `"${key}" is no text`);
      }
      fields.set(key, pair.value.value);
    }
    const [detector, session, finding] = ['detector', 'session', 'finding'].map((key) => fields.get(key) ?? null);
    const reason = fields.get('reason');
    const expires = fields.get('expires') ?? null;
    if (reason === undefined) throw fail(offset, 'an entry without a reason');
    if (detector === null && session === null && finding === null) throw fail(offset, 'an entry that names nothing');
    if (expires !== null && !isDay(expires)) throw fail(offset, `"expires" is no day: ${expires}`);
    return { detector, session, finding, reason, expires, line: lines.linePos(offset).line } as Suppression;
  });
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Takes suppressed findings out. A suppression expires by the time of the finding, not of the run: the same input
 * gives the same report on any day.
 */
export function applySuppressions<T extends Suppressible>(
  findings: readonly T[],
  suppressions: readonly Suppression[],
): Suppressed<T> {
  const used = new Set<Suppression>();
  const kept: T[] = [];
  const suppressed: { finding: T; by: Suppression }[] = [];
  for (const finding of findings) {
    const by = suppressions.find((suppression) => covers(suppression, finding));
    if (by === undefined) {
      kept.push(finding);
    } else {
      used.add(by);
      suppressed.push({ finding, by });
    }
  }
  return { kept, suppressed, unused: suppressions.filter((suppression) => !used.has(suppression)) };
}

function covers(suppression: Suppression, finding: Suppressible): boolean {
  const { detector, session, finding: id, expires } = suppression;
  if (detector !== null && detector !== finding.detector) return false;
  if (id !== null && id !== finding.id) return false;
  if (session !== null && !finding.sessions.some((shown) => sameSession(shown, session))) return false;
  return expires === null || finding.at === null || finding.at.slice(0, 10) <= expires;
}

/** A printed tag (`3f2a91c0…#7d1e`) and the whole tag agree in what both show. */
function sameSession(shown: string, wanted: string): boolean {
  return (
    shown === wanted ||
    (wanted.includes('…#') && wanted.startsWith(shown)) ||
    (shown.includes('…#') && shown.startsWith(wanted) && wanted.includes('…#'))
  );
}
