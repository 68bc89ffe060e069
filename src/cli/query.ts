import { Command, Option } from 'commander';
import {
  addInputOptions,
  addListOptions,
  addStoreOptions,
  type InputOptions,
  type OutputOptions,
  positiveInteger,
  type StoreOptions,
} from './options.js';

export type QueryOptions = InputOptions & StoreOptions & OutputOptions & { readonly timeLimit?: number };

export function queryCommand(): Command {
  const command = new Command('query')
    .description('one SELECT over tables and relations, of a database or of captures; nothing can be changed')
    .argument('<sql>', 'the SELECT')
    .argument('[path...]', 'captures; or --db')
    .addOption(new Option('--time-limit <seconds>', 'stop the query after this time').argParser(positiveInteger));
  addInputOptions(command);
  addListOptions(command);
  return addStoreOptions(command).action(async (sql: string, paths: string[], options: QueryOptions) => {
    const { runQuery } = await import('./query-run.js');
    process.exitCode = await runQuery(sql, paths, options);
  });
}
