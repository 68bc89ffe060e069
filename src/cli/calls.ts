import type { Command } from 'commander';
import { type ListOptions, listCommand } from './list-command.js';

export function callsCommand(): Command {
  return listCommand('calls', 'every tool call with its outcome')
    .argument('[path...]', 'captures; or --db')
    .action(async (paths: string[], options: ListOptions) => {
      const [{ runList }, { callList }] = await Promise.all([import('./list-run.js'), import('./lists.js')]);
      process.exitCode = await runList(paths, options, callList);
    });
}
