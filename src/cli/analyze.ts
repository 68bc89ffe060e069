import { Command } from 'commander';
import {
  addEndpointOptions,
  addFindingOptions,
  addInputOptions,
  addReportOptions,
  addStoreOptions,
  addWindowOptions,
  type EndpointOptions,
  type FindingOptions,
  type InputOptions,
  type OutputOptions,
  type StoreOptions,
} from './options.js';

type AnalyzeOptions = InputOptions & StoreOptions & FindingOptions & OutputOptions & EndpointOptions;

export function analyzeCommand(): Command {
  const command = new Command('analyze')
    .description('read captures, judge every interrupted stream, report')
    .argument('<path...>', 'files, folders, globs, or - for standard input');
  addInputOptions(command);
  addWindowOptions(command);
  addFindingOptions(command);
  addReportOptions(command);
  addEndpointOptions(command);
  addStoreOptions(command);
  return command.action(async (paths: string[], options: AnalyzeOptions) => {
    const { analyze } = await import('./analyze-run.js');
    process.exitCode = await analyze(paths, options);
  });
}
