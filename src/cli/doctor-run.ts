import { readFile } from 'node:fs/promises';
import { loadRegistry } from '../detect/registry.js';
import { PostmortemError } from '../error.js';
import type { RecordSink } from '../readers/reader.js';
import { findSources, readSource } from '../readers/registry.js';
import { checkup, renderCheckup, type SourceCheck } from '../report/doctor.js';
import { PACKAGE_ROOT } from '../store/package-files.js';
import { Console } from './console.js';
import type { DoctorOptions } from './doctor.js';
import { EXIT } from './exit-code.js';
import { throwIfInterrupted } from './interruption.js';
import { readerOptions } from './options.js';
import { writeStdout } from './out.js';

const CONFIGURATIONS: Readonly<Record<NonNullable<DoctorOptions['config']>, string>> = {
  nginx: 'nginx.conf',
  haproxy: 'haproxy.cfg',
  apache: 'apache.conf',
  caddy: 'Caddyfile',
  envoy: 'envoy.yaml',
  traefik: 'traefik.yaml',
  otel: 'otel-collector.yaml',
};

/** `doctor`. @returns the exit code: not judged when an input could not be read. @throws PostmortemError `usage` */
export async function runDoctor(paths: readonly string[], options: DoctorOptions): Promise<number> {
  if (options.config !== undefined) {
    await writeStdout(await readFile(`${PACKAGE_ROOT}samples/proxy-config/${CONFIGURATIONS[options.config]}`, 'utf8'));
    if (paths.length === 0) return EXIT.judged;
  }
  if (paths.length === 0) {
    throw new PostmortemError('usage', 'doctor: no capture given', 'Give captures, or --config nginx (haproxy, …).');
  }
  const console = new Console(options.quiet ?? false);
  const { checks, isWhole } = await checkSources(paths, options, console);
  const { detectors } = await loadRegistry(options.queries ?? null);
  const questions = detectors.map(({ meta: { id, title, needs } }) => ({ id, title, needs }));
  const result = checkup(checks, questions);
  if (checks.length > 0 || options.format === 'json') {
    await writeStdout(options.format === 'json' ? `${JSON.stringify(result, null, 2)}\n` : renderCheckup(result));
  }
  return isWhole && checks.length > 0 ? EXIT.judged : EXIT.notJudged;
}

async function checkSources(
  paths: readonly string[],
  options: DoctorOptions,
  console: Console,
): Promise<{ checks: SourceCheck[]; isWhole: boolean }> {
  const { sources, problems } = await findSources(paths, readerOptions(options));
  const checks: SourceCheck[] = [];
  let isWhole = true;
  const failed = (error: PostmortemError, named: boolean) => {
    if (named) {
      isWhole = false;
      console.error(error);
    } else console.warning(`${error.message}: not read`);
  };
  for (const { error, named } of problems) failed(error, named);
  for (const source of sources) {
    throwIfInterrupted();
    let exchanges = 0;
    let rejected = 0;
    const sink: RecordSink = {
      capture: () => {
        exchanges += 1;
      },
      reject: () => {
        rejected += 1;
      },
      companion: () => undefined,
      skip: () => undefined,
      duplicate: () => undefined,
      progress: (bytes) => {
        throwIfInterrupted();
        console.progress(`${source.path}: ${Math.floor(bytes / 2 ** 20)} MB read`);
      },
    };
    try {
      const summary = await readSource(source, sink, readerOptions(options), options.inputFormat ?? null);
      const { format, vantage, records, evidence, warnings } = summary;
      checks.push({ path: source.path, format, vantage, records, exchanges, rejected, evidence, warnings });
    } catch (error) {
      if (!(error instanceof PostmortemError) || error.code === 'interrupted') throw error;
      failed(error, source.named || error.code !== 'input-unknown-format');
    }
  }
  console.clearProgress();
  return { checks, isWhole };
}
