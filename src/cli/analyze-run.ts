import { PostmortemError } from '../error.js';
import { analyzeStore } from './analysis.js';
import { commandLine } from './command-line.js';
import { Console } from './console.js';
import { EXIT, exitCodeOf } from './exit-code.js';
import { findInputs, inputBytes, loadInputs } from './load.js';
import type { EndpointOptions, FindingOptions, InputOptions, OutputOptions, StoreOptions } from './options.js';
import { reportPlan, writeReports } from './reports.js';
import { saveDocument } from './saved-document.js';
import { withStoreFor } from './store-session.js';

/** `analyze`: read, derive, detect, report. @returns the exit code */
export async function analyze(
  paths: readonly string[],
  options: InputOptions & StoreOptions & FindingOptions & OutputOptions & EndpointOptions,
): Promise<number> {
  const plan = reportPlan(options);
  const console = new Console(options.quiet ?? false);
  const inputs = await findInputs(paths, options);
  return withStoreFor(options, inputBytes(inputs), async (store) => {
    const { failures } = await loadInputs(store, inputs, options, 'by-path', console);
    if ((await store.rows('select 1 from source limit 1')).length === 0) return EXIT.notJudged;
    const command = commandLine('analyze', paths, options);
    const { document, registry } = await analyzeStore(store, options, command, failures, console);
    if (options.db !== undefined) await saveDocument(store, document);
    await writeReports(document, registry, plan, options, options.failOn);
    if (document.totals.exchanges === 0) console.error(noTraffic(document.sources.map(({ path }) => path)));
    return exitCodeOf(document, options.failOn, options.strict ?? false, failures.length);
  });
}

function noTraffic(paths: readonly string[]): PostmortemError {
  const named = paths.length > 20 ? [...paths.slice(0, 20), `and ${paths.length - 20} more`] : paths;
  return new PostmortemError(
    'no-mcp-traffic',
    `${named.join(', ')}: no MCP traffic was found`,
    '`mcp-postmortem doctor` says what these files can show and how to capture what is missing.',
  );
}
