import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeAtomically } from '../../src/cli/out.js';
import { reportPlan } from '../../src/cli/reports.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'out-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a report takes the place of the old one, and nothing else is left in the folder', async () => {
  const path = join(folder, 'report.json');
  writeFileSync(path, 'old');
  await writeAtomically(path, 'new …');
  expect(readFileSync(path, 'utf8')).toBe('new …');
  expect(readdirSync(folder)).toEqual(['report.json']);
});

test('a folder that is not there is named, with the code output-failed', async () => {
  const path = join(folder, 'missing', 'report.json');
  await expect(writeAtomically(path, 'new')).rejects.toMatchObject({
    code: 'output-failed',
    message: expect.stringContaining(path),
  });
});

test('where a folder stands in the place of the report, it stays and no temporary file is left', async () => {
  const path = join(folder, 'report.json');
  mkdirSync(path);
  await expect(writeAtomically(path, 'new')).rejects.toMatchObject({ code: 'output-failed' });
  expect(readdirSync(folder)).toEqual(['report.json']);
});

test.skipIf(process.getuid?.() === 0)('in a folder that cannot be written to the old report stays', async () => {
  const path = join(folder, 'report.json');
  writeFileSync(path, 'old');
  chmodSync(folder, 0o500);
  await expect(writeAtomically(path, 'new')).rejects.toMatchObject({ code: 'output-failed' });
  chmodSync(folder, 0o700);
  expect(readFileSync(path, 'utf8')).toBe('old');
});

test('the format of a report follows from its name, and --format decides for standard output', () => {
  const plan = (format: string[], out: string[], quiet = false) => reportPlan({ format, out, quiet, color: false });
  expect(plan([], [])).toEqual({ stdout: 'table', files: [] });
  expect(plan(['json'], ['a.html', 'b.sarif', 'c.xml'])).toEqual({
    stdout: 'json',
    files: [
      { path: 'a.html', format: 'html' },
      { path: 'b.sarif', format: 'sarif' },
      { path: 'c.xml', format: 'junit' },
    ],
  });
  expect(plan([], ['a.md'], true).stdout).toBeNull();
  expect(plan(['md'], ['report']).files).toEqual([{ path: 'report', format: 'md' }]);
  expect(() => plan([], ['report'])).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(() => plan(['pdf'], [])).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(() => plan(['json', 'md'], [])).toThrow('only one --format');
});
