import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROXIES } from '../../src/cli/doctor.js';
import { runDoctor } from '../../src/cli/doctor-run.js';

/** What a run prints on standard output, and its exit code. */
async function run(paths: readonly string[], options: Partial<Parameters<typeof runDoctor>[1]> = {}) {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(((chunk: string, done?: (error?: Error) => void) => {
    text += chunk;
    done?.();
    return true;
  }) as typeof process.stdout.write);
  try {
    const code = await runDoctor(paths, { format: 'text', quiet: true, ...options });
    return { text, code };
  } finally {
    spy.mockRestore();
  }
}

describe('doctor on the command line', () => {
  let folder: string;
  let log: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    log = join(folder, 'access.log');
    writeFileSync(log, '10.0.1.9 - - [18/Nov/2026:08:00:01 +0000] "POST /mcp HTTP/1.1" 200 517 "-" "c"\n');
    writeFileSync(join(folder, 'notes.txt'), 'nothing of interest\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PROXIES)('prints a configuration for %s that logs the session', async (config) => {
    const { text, code } = await run([], { config });
    expect(code).toBe(0);
    expect(text).toMatch(/mcp[-_]session[-_]id|Caddy/i);
  });

  it('says what a combined log cannot show', async () => {
    const { text, code } = await run([log]);
    expect(code).toBe(0);
    expect(text).toContain('access-log/nginx');
    expect(text.indexOf('epoch-merge')).toBeGreaterThan(text.indexOf('None of these captures can answer'));
  });

  it('gives the same as JSON', async () => {
    const { text } = await run([log], { format: 'json' });
    const { sources, answers } = JSON.parse(text) as { sources: unknown[]; answers: { id: string; answer: string }[] };
    expect(sources).toHaveLength(1);
    expect(answers.find(({ id }) => id === 'epoch-merge')?.answer).toBe('no');
  });

  it('ends with 2 when a capture that was named cannot be read, and says the rest', async () => {
    const { text, code } = await run([log, join(folder, 'absent.log')]);
    expect(code).toBe(2);
    expect(text).toContain('access.log');
  });

  it('does not mind other files of a folder', async () => {
    expect((await run([folder])).code).toBe(0);
  });

  it('asks for a capture', async () => {
    await expect(run([])).rejects.toMatchObject({ code: 'usage' });
  });
});
