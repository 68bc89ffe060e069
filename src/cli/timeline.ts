import type { Command } from 'commander';
import { type ListOptions, listCommand } from './list-command.js';

export function timelineCommand(): Command {
  return listCommand('timeline', 'what happened to one session and its lineage, in order, with the seams marked')
    .argument('<session>', 'its id, or as it is printed')
    .argument('[path...]', 'captures; or --db')
    .action(async (session: string, paths: string[], options: ListOptions) => {
      const { timeline } = await import('./timeline-run.js');
      process.exitCode = await timeline(session, paths, options);
    });
}
