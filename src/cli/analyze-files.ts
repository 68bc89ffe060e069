import type { ResultDocument } from '../report/result-document.js';
import { analyzeStore } from './analysis.js';
import { commandLine } from './command-line.js';
import { Console } from './console.js';
import { findInputs, inputBytes, loadInputs } from './load.js';
import type { FindingOptions, InputOptions, StoreOptions } from './options.js';
import { withStoreFor } from './store-session.js';

export type AnalyzeFilesOptions = Partial<InputOptions & StoreOptions & FindingOptions> & { readonly reveal?: boolean };

/**
 * `analyze` as a function: captures in, result document out; nothing is printed.
 * An input that could not be read is a source with an `error`; the others were analysed.
 * @throws PostmortemError when nothing could be judged at all: usage, a broken detector, a store that does not open
 */
export async function analyzeFiles(
  paths: readonly string[],
  options: AnalyzeFilesOptions = {},
): Promise<ResultDocument> {
  const console = new Console(true, () => undefined);
  const complete = { param: [], failOn: 'high' as const, ...options };
  const inputs = await findInputs(paths, complete);
  return withStoreFor(complete, inputBytes(inputs), async (store) => {
    const { failures } = await loadInputs(store, inputs, complete, 'by-path', console);
    const { document } = await analyzeStore(
      store,
      complete,
      commandLine('analyze', paths, complete),
      failures,
      console,
    );
    return document;
  });
}
