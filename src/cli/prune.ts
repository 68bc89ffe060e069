import { Command, Option } from 'commander';
import { positiveInteger } from './options.js';
import { CONFIG_NAME } from './run.js';

export interface PruneOptions {
  readonly config: string;
  readonly before: string;
  readonly wait?: number;
  readonly quiet?: boolean;
}

export function pruneCommand(): Command {
  return new Command('prune')
    .description('let go of old records in the state of the scheduled job; findings stay with their facts')
    .requiredOption('--before <time>', 'records before it go: 2026-11-12 or 2026-11-12T14:00:00Z')
    .option('--config <file>', 'the configuration of the job', CONFIG_NAME)
    .addOption(new Option('--wait <seconds>', 'wait for another run on the same state').argParser(positiveInteger))
    .option('--quiet', 'say nothing but errors')
    .action(async (options: PruneOptions) => {
      const { prune } = await import('./prune-run.js');
      process.exitCode = await prune(options);
    });
}
