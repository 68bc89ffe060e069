import type { Registry } from '../detect/registry.js';
import type { Parameters, Row, Store } from '../store/store.js';

/** Runs one of `queries/reports`. @throws PostmortemError `query-failed` */
export async function reportRows<T extends object = Row>(
  store: Store,
  registry: Registry,
  name: string,
  parameters: Parameters = {},
): Promise<T[]> {
  const report = registry.reports.get(name);
  if (report === undefined) throw new Error(`queries/reports/${name}.sql is missing`);
  return store.rows<T>(report.sql, parameters);
}

/** The reports behind the result document; what they read must be derived before. */
export const RESULT_REPORTS = [
  'totals',
  'verdicts',
  'enforcement',
  'load_requests',
  'load_resumes',
  'load_backends',
  'idle',
  'evidence',
  'lost_epochs',
  'incident_steps',
] as const;

/** Every relation and table that the result document reads beyond the detectors; ids: those that run, all when left out. */
export function relationsOfResult(registry: Registry, detectors?: Iterable<string>): string[] {
  const shortfall =
    detectors === undefined || [...detectors].includes('load-correlated-failure') ? ['load_shortfall'] : [];
  return [...RESULT_REPORTS, ...shortfall].flatMap((name) => registry.reports.get(name)?.reads ?? []);
}
