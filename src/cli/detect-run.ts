import { analyzeStore } from './analysis.js';
import { commandLine } from './command-line.js';
import { Console } from './console.js';
import { exitCodeOf } from './exit-code.js';
import type { EndpointOptions, FindingOptions, OutputOptions, StoreOptions } from './options.js';
import { reportPlan, writeReports } from './reports.js';
import { saveDocument } from './saved-document.js';
import { requiredDatabase, requireExisting, withStore } from './store-session.js';

/** `detect`: derive and judge. @returns the exit code */
export async function detect(
  options: StoreOptions & FindingOptions & OutputOptions & EndpointOptions,
): Promise<number> {
  requiredDatabase('detect', options);
  requireExisting(options);
  const plan = reportPlan(options);
  const console = new Console(options.quiet ?? false);
  return withStore(options, false, async (store) => {
    const { document, registry } = await analyzeStore(store, options, commandLine('detect', [], options), [], console);
    await saveDocument(store, document);
    await writeReports(document, registry, plan, options, options.failOn);
    return exitCodeOf(document, options.failOn, options.strict ?? false, 0);
  });
}
