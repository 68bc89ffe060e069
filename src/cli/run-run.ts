import { plural } from '../report/text.js';
import { loadConfig } from '../schedule/config.js';
import { type JobResult, runJob } from '../schedule/run.js';
import { Console } from './console.js';
import { EXIT } from './exit-code.js';
import { jobHost } from './job-host.js';
import { detectorPages } from './reports.js';
import type { RunOptions } from './run.js';

/** `run`: one run of the scheduled job. @returns the exit code */
export async function run(options: RunOptions): Promise<number> {
  const console = new Console(options.quiet ?? false);
  const config = await loadConfig(options.config);
  const result = await runJob(config, (options.wait ?? 0) * 1000, jobHost(console), detectorPages);
  console.clearProgress();
  for (const error of result.failures) console.error(error);
  for (const { path, reason } of result.waiting) console.note(`${path}: left for the next run: ${reason}`);
  console.note(summary(result, config.folder));
  if (result.failures.length > 0) return EXIT.notJudged;
  return result.fails ? EXIT.findings : EXIT.judged;
}

function summary({ files, read, document, notified }: JobResult, folder: string): string {
  const seen = `${plural(files, 'file')}, ${plural(read, 'source')} with something new`;
  if (document === null) return `${seen}; nothing new to judge`;
  const isNew = ({ state }: { readonly state: string }) => state === 'new';
  const findings = plural(document.findings.filter(isNew).length, 'new finding');
  const incidents = plural(document.incidents.filter(isNew).length, 'new incident');
  const told = notified === 0 ? '' : `, ${plural(notified, 'message')} sent`;
  return `${seen}; ${findings}, ${incidents}${told}; reports in ${folder}`;
}
