import { spawnSync } from 'node:child_process';

/*
 * npm run fuzz [-- COUNT [FIRST]]
 * The fuzz test of the suite with more inputs. A fault names its number: FIRST takes it up again.
 */
const [count = '100000', first = '1'] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_INPUTS: count, FUZZ_FIRST: first },
});
process.exitCode = status ?? 1;
