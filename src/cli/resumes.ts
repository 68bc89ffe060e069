import type { Command } from 'commander';
import { type ListOptions, listCommand } from './list-command.js';

export function resumesCommand(): Command {
  return listCommand('resumes', 'every attempt to resume a stream, with its verdict')
    .argument('[path...]', 'captures; or --db')
    .action(async (paths: string[], options: ListOptions) => {
      const [{ runList }, { resumeList }] = await Promise.all([import('./list-run.js'), import('./lists.js')]);
      process.exitCode = await runList(paths, options, resumeList);
    });
}
