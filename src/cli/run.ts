import { Command, Option } from 'commander';
import { positiveInteger } from './options.js';

export interface RunOptions {
  readonly config: string;
  readonly wait?: number;
  readonly quiet?: boolean;
}

/** Name of the configuration when none is given. */
export const CONFIG_NAME = 'mcp-postmortem.yaml';

export function runCommand(): Command {
  return new Command('run')
    .description('the scheduled job: read what is new, judge it, report and tell of new incidents')
    .option('--config <file>', 'the configuration; `init` writes one', CONFIG_NAME)
    .addOption(new Option('--wait <seconds>', 'wait for another run on the same state').argParser(positiveInteger))
    .option('--quiet', 'say nothing but errors')
    .action(async (options: RunOptions) => {
      const { run } = await import('./run-run.js');
      process.exitCode = await run(options);
    });
}
