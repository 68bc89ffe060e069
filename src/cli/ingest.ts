import { Command } from 'commander';
import {
  addInputOptions,
  addListOptions,
  addStoreOptions,
  type InputOptions,
  type OutputOptions,
  type StoreOptions,
} from './options.js';

type IngestOptions = InputOptions & StoreOptions & OutputOptions & { readonly strict?: boolean };

export function ingestCommand(): Command {
  const command = new Command('ingest')
    .description('read captures into a database; what it holds already is not read again')
    .argument('<path...>', 'files, folders, globs, or - for standard input')
    .option('--strict', 'a rejected record is an error');
  addInputOptions(command);
  addListOptions(command);
  return addStoreOptions(command).action(async (paths: string[], options: IngestOptions) => {
    const { ingest } = await import('./ingest-run.js');
    process.exitCode = await ingest(paths, options);
  });
}
