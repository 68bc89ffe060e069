import { Command } from 'commander';
import { CONFIG_NAME } from './run.js';

export interface InitOptions {
  readonly force?: boolean;
  readonly schema?: boolean;
}

export function initCommand(): Command {
  return new Command('init')
    .description('write a configuration for `run` that explains every key')
    .argument('[file]', 'where to', CONFIG_NAME)
    .option('--force', 'replace a file that is there')
    .option('--schema', 'print the JSON Schema of the configuration instead')
    .action(async (file: string, options: InitOptions) => {
      const { init } = await import('./init-run.js');
      process.exitCode = await init(file, options);
    });
}
