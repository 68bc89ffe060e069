import { Command } from 'commander';
import {
  addEndpointOptions,
  addFindingOptions,
  addReportOptions,
  addStoreOptions,
  addWindowOptions,
  type EndpointOptions,
  type FindingOptions,
  type OutputOptions,
  type StoreOptions,
} from './options.js';

type DetectOptions = StoreOptions & FindingOptions & OutputOptions & EndpointOptions;

export function detectCommand(): Command {
  const command = new Command('detect').description('judge what a database holds, and keep the answer in it');
  addWindowOptions(command);
  addFindingOptions(command);
  addReportOptions(command);
  addEndpointOptions(command);
  return addStoreOptions(command).action(async (options: DetectOptions) => {
    const { detect } = await import('./detect-run.js');
    process.exitCode = await detect(options);
  });
}
