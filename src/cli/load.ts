import { PostmortemError } from '../error.js';
import type { RecordSink } from '../readers/reader.js';
import { findSources, readSource } from '../readers/registry.js';
import type { Store } from '../store/store.js';
import type { Console } from './console.js';
import { throwIfInterrupted } from './interruption.js';
import { type InputOptions, readerOptions } from './options.js';

/** An input that could not be read. */
export interface LoadFailure {
  readonly path: string;
  readonly error: PostmortemError;
}

export interface Loaded {
  /** What makes the run fail in the end; everything else was read all the same. */
  readonly failures: readonly LoadFailure[];
  /** Files met in a folder that are no captures. */
  readonly ignored: readonly LoadFailure[];
  /** The same bytes under another name: read once. */
  readonly twins: readonly { readonly path: string; readonly of: string }[];
}

/** In which order inputs are read: by path, so that the order of arguments changes nothing, or as given. */
export type LoadOrder = 'by-path' | 'as-given';

type Inputs = Awaited<ReturnType<typeof findSources>>;
type SourceInput = Inputs['sources'][number];

/** Finds what lies behind the paths. */
export function findInputs(paths: readonly string[], options: InputOptions): Promise<Inputs> {
  return findSources(paths, readerOptions(options));
}

/** Bytes on disk of all inputs together. */
export function inputBytes(inputs: Inputs): number {
  return inputs.sources.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads every input into the store. One that fails stops no other. @throws PostmortemError `interrupted` */
export async function loadInputs(
  store: Store,
  inputs: Inputs,
  options: InputOptions,
  order: LoadOrder,
  console: Console,
): Promise<Loaded> {
  const failures: LoadFailure[] = [];
  const ignored: LoadFailure[] = [];
  const twins: { path: string; of: string }[] = [];
  for (const { path, error, named } of inputs.problems)
    (named || !isHarmless(error) ? failures : ignored).push({ path, error });
  for (const source of order === 'by-path' ? [...inputs.sources].sort(byPath) : inputs.sources) {
    throwIfInterrupted();
    try {
      const of = await loadSource(store, source, options, console);
      if (of !== null) twins.push({ path: source.path, of });
    } catch (cause) {
      const error = cause instanceof PostmortemError ? cause : brokenReader(source.path, cause);
      if (error.code === 'interrupted') throw error;
      const isForeign = !source.named && error.code === 'input-unknown-format';
      (isForeign ? ignored : failures).push({ path: source.path, error });
    }
  }
  await store.finishSources();
  console.clearProgress();
  for (const { error } of failures) console.error(error);
  for (const { error } of ignored) console.warning(`${error.message}: not read`);
  for (const { path, of } of twins) console.warning(`${path}: the same bytes as ${of}, read once`);
  return { failures, ignored, twins };
}

/** @returns the path under which the same bytes were read before, or null. */
async function loadSource(
  store: Store,
  source: SourceInput,
  options: InputOptions,
  console: Console,
): Promise<string | null> {
  const meta = { path: source.path, sha256: await source.sha256(), bytes: source.bytes };
  const outcome = await store.source(meta, async (sink) => {
    const watched = withProgress(sink, (bytes) => {
      throwIfInterrupted();
      console.progress(`${source.path}: ${Math.floor(bytes / 2 ** 20)} MB read`);
    });
    return readSource(source, watched, readerOptions(options), options.inputFormat ?? null);
  });
  if (outcome.kind === 'duplicate') return outcome.of;
  for (const warning of outcome.summary.warnings) console.warning(`${source.path}: ${warning}`);
  return null;
}

function withProgress(sink: RecordSink, progress: (bytes: number) => void): RecordSink {
  return {
    capture: (capture) => sink.capture(capture),
    companion: (record) => sink.companion(record),
    reject: (locator, reason) => sink.reject(locator, reason),
    skip: (count) => sink.skip(count),
    duplicate: (count) => sink.duplicate(count),
    progress,
  };
}

/** Devices and links that a folder happens to hold are no fault of the captures beside them. */
function isHarmless(error: PostmortemError): boolean {
  return /not a regular file|symbolic link|FIFO|socket|device|outside/i.test(error.message);
}

function byPath(a: SourceInput, b: SourceInput): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function brokenReader(path: string, cause: unknown): PostmortemError {
  const what = cause instanceof Error ? `${cause.name}: ${cause.message.slice(0, 200)}` : String(cause);
  return new PostmortemError(
    'input-unreadable',
    `${path}: reading failed unexpectedly (${what})`,
    'This is a fault of mcp-postmortem. The other inputs were read.',
    { cause },
  );
}
