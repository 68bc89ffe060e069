import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WRAPPER = fileURLToPath(new URL('./usage.js', import.meta.url));

/**
 * What a program took.
 * @typedef {{ cpuS: number, wallS: number, rssMb: number | null, code: number }} Usage
 */

/** Runs a script with Node.js. @returns {Promise<Usage>} */
export async function measureNode(script, args) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-postmortem-bench-'));
  const report = join(folder, 'usage.json');
  try {
    const started = performance.now();
    const code = await ended(
      spawn(process.execPath, ['--import', WRAPPER, script, ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, BENCH_USAGE: report },
      }),
    );
    const wallS = (performance.now() - started) / 1000;
    const { cpuS, rssMb } = JSON.parse(readFileSync(report, 'utf8'));
    return { cpuS, wallS, rssMb, code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs another program; the shell tells its CPU time. @returns {Promise<Usage>} */
export async function measureProgram(program, args) {
  const child = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time "$0" "$@" > /dev/null 2> /dev/null', program, ...args],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  const code = await ended(child);
  const [wallS, userS, systemS] = told.trim().split(/\s+/).slice(-3).map(Number);
  return { cpuS: userS + systemS, wallS, rssMb: null, code };
}

/** Whether a program is installed. */
export function isInstalled(program) {
  return spawnSync('bash', ['-c', `command -v "$0"`, program]).status === 0;
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? -1));
  });
}
