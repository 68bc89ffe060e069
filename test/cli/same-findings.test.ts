import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyzeFiles } from '../../src/cli/analyze-files.js';
import type { Finding } from '../../src/incident/finding.js';

const SAMPLE = resolve('samples/rolling-deploy');
const FILES = ['capture.har', 'nginx-access.jsonl', 'traces.jsonl'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'same-findings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of these files. */
function lay(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
  return path;
}

const read = (file: string) => readFileSync(join(SAMPLE, file));
const original = () => Object.fromEntries(FILES.map((file) => [file, read(file)]));

/** What a finding says, without the names of files and places. */
function said(findings: readonly Finding[]): unknown[] {
  return findings
    .map(({ id, detector, severity, confidence, explanation, sessions, at, until, facts, incident }) => ({
      id,
      detector,
      severity,
      confidence,
      explanation,
      sessions,
      at,
      until,
      facts,
      incident,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function findingsOf(path: string): Promise<unknown[]> {
  return said((await analyzeFiles([path])).findings);
}

function lines(file: string): string[] {
  return read(file).toString('utf8').trimEnd().split('\n');
}

describe('the same findings, ids included, come from captures that are', () => {
  let expected: unknown[];
  beforeAll(async () => {
    expected = await findingsOf(SAMPLE);
    expect(expected.length).toBeGreaterThan(2);
  });

  test('compressed', async () => {
    const files = Object.entries(original()).map(([name, bytes]) => [`${name}.gz`, gzipSync(bytes)]);
    expect(await findingsOf(lay('compressed', Object.fromEntries(files)))).toEqual(expected);
  });

  test('doubled', async () => {
    const twice = Object.entries(original()).flatMap(([name, bytes]) => [
      [name, bytes],
      [`copy-of-${name}`, bytes],
      // The same records in other bytes: not the same file to a checksum.
      ...(name.endsWith('.jsonl') ? [[`again-${name}`, `${bytes.toString('utf8')}\n`]] : []),
    ]);
    expect(await findingsOf(lay('doubled', Object.fromEntries(twice)))).toEqual(expected);
  });

  test('under other names', async () => {
    const renamed = Object.entries(original()).map(([, bytes], index) => [`${9 - index}.data`, bytes]);
    expect(await findingsOf(lay('renamed', Object.fromEntries(renamed)))).toEqual(expected);
  });

  test('split into pieces', async () => {
    const har = JSON.parse(read('capture.har').toString('utf8'));
    const pieces: Record<string, string> = {};
    for (const [index, part] of [har.log.entries.slice(0, 5), har.log.entries.slice(5)].entries()) {
      pieces[`capture-${index}.har`] = JSON.stringify({ log: { ...har.log, entries: part } });
    }
    for (const file of ['nginx-access.jsonl', 'traces.jsonl']) {
      const all = lines(file);
      const half = Math.ceil(all.length / 2);
      pieces[`${file}.1`] = `${all.slice(0, half).join('\n')}\n`;
      pieces[`${file}.0`] = `${all.slice(half).join('\n')}\n`;
    }
    expect(await findingsOf(lay('split', pieces))).toEqual(expected);
  });

  test('joined with traffic that is not MCP', async () => {
    const other = '{"time":"2026-11-12T14:00:00+00:00","method":"GET","uri":"/favicon.ico","status":200}';
    const log = [other, ...lines('nginx-access.jsonl').flatMap((line) => [line, other])].join('\n');
    expect(await findingsOf(lay('joined', { ...original(), 'nginx-access.jsonl': `${log}\n` }))).toEqual(expected);
  });
});

describe.skipIf(!existsSync('dist/cli/main.js'))('the document is the same, byte for byte,', () => {
  const run = (paths: readonly string[], env: Readonly<Record<string, string>> = {}, ...more: string[]) => {
    const args = ['bin/mcp-postmortem.js', 'analyze', ...paths, '--format', 'json', '--fail-on', 'never', ...more];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const paths = FILES.map((file) => `samples/rolling-deploy/${file}`);
  let expected: string;
  beforeAll(() => {
    expected = run(paths);
  });

  test('for any order of the arguments', () => {
    expect(run([...paths].reverse())).toBe(expected);
    expect(run([paths[1]!, paths[2]!, paths[0]!])).toBe(expected);
  });

  test.each([
    ['another time zone', { TZ: 'Pacific/Chatham' }],
    ['another locale', { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }],
    ['no locale', { LC_ALL: 'C', LANG: '' }],
    ['a terminal of other size', { COLUMNS: '40', NO_COLOR: '1' }],
  ])('in %s', (_, env) => {
    expect(run(paths, env)).toBe(expected);
  });

  test.each(['1', '2', '4'])('with %s threads', (threads) => {
    expect(run(paths, {}, '--threads', threads)).toBe(expected);
  });

  test('when it is kept in a database, and reported from there', () => {
    const database = join(folder, 'kept.duckdb');
    expect(run(paths, {}, '--db', database)).toBe(expected);
    const again = spawnSync(
      process.execPath,
      ['bin/mcp-postmortem.js', 'report', '--db', database, '--format', 'json', '--fail-on', 'never'],
      { encoding: 'utf8' },
    );
    expect(again.stdout).toBe(expected);
  });

  test('of a folder that was copied in another order, but for the paths', () => {
    const copy = join(folder, 'copied');
    mkdirSync(copy);
    for (const file of [...FILES].reverse()) cpSync(join(SAMPLE, file), join(copy, file));
    const bare = (text: string, name: string) => text.replaceAll(name, 'FOLDER');
    const inFolder = run(['samples/rolling-deploy']);
    expect(bare(run([copy]), copy)).toBe(bare(inFolder, 'samples/rolling-deploy'));
  });
});
