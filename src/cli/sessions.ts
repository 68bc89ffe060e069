import type { Command } from 'commander';
import { type ListOptions, listCommand } from './list-command.js';

export function sessionsCommand(): Command {
  return listCommand('sessions', 'every session, from its first sight to its end')
    .argument('[path...]', 'captures; or --db')
    .action(async (paths: string[], options: ListOptions) => {
      const [{ runList }, { sessionList }] = await Promise.all([import('./list-run.js'), import('./lists.js')]);
      process.exitCode = await runList(paths, options, sessionList);
    });
}
