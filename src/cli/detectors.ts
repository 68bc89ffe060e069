import { Command } from 'commander';
import { addListOptions, type OutputOptions } from './options.js';

export interface OwnDetectors {
  /** A folder; absent: the built-in detectors. */
  readonly queries?: string;
}

export type DetectorsOptions = OutputOptions & OwnDetectors;

export function detectorsCommand(): Command {
  const command = new Command('detectors').description('the catalogue of detectors');
  const sub = (name: string, description: string) =>
    command.command(name).description(description).option('--queries <dir>', 'detectors of your own');
  const listing = (name: string, description: string) => addListOptions(sub(name, description));
  listing('list', 'all detectors').action(async (options: DetectorsOptions) => {
    process.exitCode = await (await import('./detectors-show.js')).listDetectors(options);
  });
  sub('explain', 'what a detector looks for, needs, and means')
    .argument('<id>')
    .action(async (id: string, options: OwnDetectors) => {
      process.exitCode = await (await import('./detectors-show.js')).explainDetector(id, options);
    });
  listing('lint', 'check metadata, documentation, samples and SQL').action(async (options: DetectorsOptions) => {
    process.exitCode = await (await import('./detectors-lint.js')).lint(options);
  });
  listing('test', "run detectors' own samples")
    .argument('[id...]')
    .action(async (ids: string[], options: DetectorsOptions) => {
      process.exitCode = await (await import('./detectors-test.js')).testDetectors(ids, options);
    });
  sub('new', 'begin a detector of your own, in --queries DIR (default: detectors)')
    .argument('<id>')
    .action(async (id: string, options: OwnDetectors) => {
      process.exitCode = await (await import('./detectors-new.js')).newDetector(id, options.queries ?? 'detectors');
    });
  return command;
}
