import type { Command } from 'commander';
import { type ListOptions, listCommand } from './list-command.js';

export function exchangesCommand(): Command {
  return listCommand('exchanges', 'every MCP exchange as it was read, in the order of inputs and of place')
    .argument('[path...]', 'captures; or --db')
    .action(async (paths: string[], options: ListOptions) => {
      const [{ runList }, { exchangeList }] = await Promise.all([
        import('./list-run.js'),
        import('./exchange-list.js'),
      ]);
      process.exitCode = await runList(paths, options, exchangeList);
    });
}
