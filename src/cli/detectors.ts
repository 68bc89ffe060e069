import { Command } from 'commander';
import { addOutputOptions, type OutputOptions } from './options.js';

export interface DetectorsOptions extends OutputOptions {
  readonly queries?: string;
}

export function detectorsCommand(): Command {
  const command = new Command('detectors').description('the catalogue of detectors');
  const sub = (name: string, description: string) =>
    addOutputOptions(command.command(name).description(description).option('--queries <dir>', 'detectors of your own'));
  sub('list', 'all detectors').action(async (options: DetectorsOptions) => {
    process.exitCode = await (await import('./detectors-show.js')).listDetectors(options);
  });
  sub('explain', 'what a detector looks for, needs, and means')
    .argument('<id>')
    .action(async (id: string, options: DetectorsOptions) => {
      process.exitCode = await (await import('./detectors-show.js')).explainDetector(id, options);
    });
  sub('lint', 'check metadata, documentation, samples and SQL').action(async (options: DetectorsOptions) => {
    process.exitCode = await (await import('./detectors-lint.js')).lint(options);
  });
  sub('test', "run detectors' own samples")
    .argument('[id...]')
    .action(async (ids: string[], options: DetectorsOptions) => {
      process.exitCode = await (await import('./detectors-test.js')).testDetectors(ids, options);
    });
  sub('new', 'begin a detector of your own, in --queries DIR (default: detectors)')
    .argument('<id>')
    .action(async (id: string, options: DetectorsOptions) => {
      process.exitCode = await (await import('./detectors-new.js')).newDetector(id, options.queries ?? 'detectors');
    });
  return command;
}
