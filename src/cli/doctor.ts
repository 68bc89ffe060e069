import { Command, Option } from 'commander';
import { addInputOptions, type InputOptions } from './options.js';

export const PROXIES = ['nginx', 'haproxy', 'apache', 'caddy', 'envoy', 'traefik', 'otel'] as const;

export interface DoctorOptions extends InputOptions {
  readonly config?: (typeof PROXIES)[number];
  readonly format: 'text' | 'json';
  readonly quiet?: boolean;
  readonly queries?: string;
}

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('what captures can prove and cannot, and the configuration that would close the gap')
    .argument('[path...]', 'captures')
    .addOption(new Option('--config <proxy>', 'print a configuration that logs everything').choices(PROXIES))
    .addOption(new Option('--format <format>', 'how to say it').choices(['text', 'json']).default('text'))
    .option('--queries <dir>', 'detectors of your own')
    .option('--quiet', 'no progress, no warnings');
  return addInputOptions(command).action(async (paths: string[], options: DoctorOptions) => {
    const { runDoctor } = await import('./doctor-run.js');
    process.exitCode = await runDoctor(paths, options);
  });
}
