import { Command, Option } from 'commander';
import { SEVERITIES, type Severity } from '../incident/finding.js';
import {
  addEndpointOptions,
  addReportOptions,
  addStoreOptions,
  type EndpointOptions,
  type OutputOptions,
  type StoreOptions,
} from './options.js';

export type ReportOptions = StoreOptions &
  OutputOptions &
  EndpointOptions & { readonly failOn: Severity | 'never'; readonly queries?: string };

export function reportCommand(): Command {
  const command = new Command('report')
    .description('print what the last detect or analyze found in a database')
    .option('--queries <dir>', 'detectors of your own')
    .addOption(
      new Option('--fail-on <severity>', 'exit with 1 from here on').choices([...SEVERITIES, 'never']).default('high'),
    );
  addReportOptions(command);
  addEndpointOptions(command);
  return addStoreOptions(command).action(async (options: ReportOptions) => {
    const { report } = await import('./report-run.js');
    process.exitCode = await report(options);
  });
}
