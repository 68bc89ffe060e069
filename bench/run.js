import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comparisons } from './comparisons.js';
import { measureNode } from './measure.js';
import { makeFile } from './output.js';
import { scalingLines } from './scaling.js';

/*
 * npm run bench [-- --quick] [--only NAME]...
 * Makes its inputs once (seeded, in .bench/), runs peers and product on the same file one after the other, and prints
 * ratios. Machines differ: a ratio says something, a time does not.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const QUICK_SIZE = 0.05;

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
});

if (!existsSync(`${ROOT}dist/cli/main.js`)) throw new Error('dist/ is missing: run npm run build first');
const size = values.quick ? QUICK_SIZE : 1;
console.log(
  'input                        MB   product: CPU s  wall s  RSS MB   peer: CPU s  wall s   ratio: CPU   wall   must be',
);
const taken = new Map();
for (const { name, extension, make, peers } of comparisons(size)) {
  if (values.only !== undefined && !values.only.includes(name)) continue;
  const { path, bytes } = makeFile(`${ROOT}.bench/${values.quick ? 'quick-' : ''}${name}.${extension}`, make());
  const product = await measureNode(`${ROOT}bin/mcp-postmortem.js`, ['analyze', path, '--fail-on', 'never', '--quiet']);
  taken.set(name, product);
  const own = `${name.padEnd(22)}${cell(bytes / 1e6, 9, 0)}${cell(product.cpuS, 17, 1)}${cell(product.wallS, 8, 1)}${cell(product.rssMb, 8, 0)}`;
  console.log(product.code === 0 ? own : `${own}   ended with code ${product.code}`);
  for (const peer of peers) {
    if (!(await peer.isThere())) {
      console.log(`  ${peer.name}: not installed`);
      continue;
    }
    const other = await peer.run(path);
    const cpu = product.cpuS / other.cpuS;
    const wall = product.wallS / other.wallS;
    const line = `${cell(other.cpuS, 12, 1)}${cell(other.wallS, 8, 1)}${cell(cpu, 13, 2)}${cell(wall, 7, 2)}${cell(peer.target, 10, 2)}`;
    console.log(`  ${peer.name.padEnd(62)}${line}`);
  }
}

for (const line of scalingLines(taken)) console.log(line);

function cell(value, width, digits) {
  return (value ?? Number.NaN).toFixed(digits).padStart(width);
}
