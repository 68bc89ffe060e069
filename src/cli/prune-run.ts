import { plural } from '../report/text.js';
import { loadConfig } from '../schedule/config.js';
import { pruneState } from '../schedule/prune.js';
import { Console } from './console.js';
import { EXIT } from './exit-code.js';
import { jobHost } from './job-host.js';
import type { PruneOptions } from './prune.js';
import { timeWindow } from './window.js';

/** `prune`: takes old records out of the state. @returns the exit code */
export async function prune(options: PruneOptions): Promise<number> {
  const console = new Console(options.quiet ?? false);
  const { untilNs } = timeWindow({ until: options.before }, null);
  const config = await loadConfig(options.config);
  const pruned = await pruneState(config, untilNs ?? 0n, (options.wait ?? 0) * 1000, jobHost(console));
  console.note(`${plural(pruned, 'exchange')} taken out; findings are kept`);
  return EXIT.judged;
}
