import type { Command } from 'commander';
import { type ListOptions, readingCommand } from './list-command.js';
import { addStoreOptions, addTimelineOptions } from './options.js';

export function timelineCommand(): Command {
  const description = 'what happened to one session and its lineage, in order, with the seams marked';
  return addStoreOptions(addTimelineOptions(readingCommand('timeline', description)))
    .argument('<session>', 'its id, or as it is printed')
    .argument('[path...]', 'captures; or --db')
    .action(async (session: string, paths: string[], options: ListOptions) => {
      const { timeline } = await import('./timeline-run.js');
      process.exitCode = await timeline(session, paths, options);
    });
}
