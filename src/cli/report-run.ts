import { loadRegistry } from '../detect/registry.js';
import { exitCodeOf } from './exit-code.js';
import type { ReportOptions } from './report.js';
import { reportPlan, writeReports } from './reports.js';
import { savedDocument } from './saved-document.js';
import { requiredDatabase, requireExisting, withStore } from './store-session.js';

/** `report`: the kept document in any format. @returns the exit code */
export async function report(options: ReportOptions): Promise<number> {
  requiredDatabase('report', options);
  requireExisting(options);
  const plan = reportPlan(options);
  const document = await withStore(options, true, (store) => savedDocument(store, options.db ?? ''));
  await writeReports(document, await loadRegistry(options.queries ?? null), plan, options, options.failOn);
  const unread = document.sources.filter(({ error }) => error !== null).length;
  return exitCodeOf(document, options.failOn, false, unread);
}
