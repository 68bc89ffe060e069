import type { Evidence, Vantage } from '../readers/record.js';
import type { Store } from '../store/store.js';
import type { SourceReport } from './result-document.js';

/** An input that could not be read at all. */
export interface UnreadSource {
  readonly path: string;
  readonly reason: string;
}

interface SourceRow {
  readonly source_id: number;
  readonly path: string;
  readonly format: string;
  readonly producer: string | null;
  readonly vantage: Vantage | 'mixed';
  readonly sha256: string;
  readonly bytes: bigint;
  readonly records: bigint;
  readonly skipped: bigint;
  readonly rejected: bigint;
  readonly duplicates: bigint;
  readonly evidence: string;
  readonly warnings: string;
}

/** Every input of the run with what came of it, by path; those that could not be read included. */
export async function sourceReports(store: Store, unread: readonly UnreadSource[]): Promise<SourceReport[]> {
  const rows = await store.rows<SourceRow>('select * from source order by source_id');
  const rejects = await store.rows<{ source_id: number; locator: string; reason: string }>(
    'select source_id, locator, reason from reject',
  );
  const rejectsOf = new Map<number, { locator: string; reason: string }[]>();
  for (const { source_id: id, locator, reason } of rejects) {
    const list = rejectsOf.get(id);
    if (list === undefined) rejectsOf.set(id, [{ locator, reason }]);
    else list.push({ locator, reason });
  }
  const read = rows.map((row): SourceReport => {
    const { source_id: id, bytes, records, skipped, rejected, duplicates, evidence, warnings, ...plain } = row;
    return {
      ...plain,
      bytes: Number(bytes),
      records: Number(records),
      skipped: Number(skipped),
      rejected: Number(rejected),
      duplicates: Number(duplicates),
      evidence: evidence.split(',').filter((word) => word !== '') as Evidence[],
      rejects: rejectsOf.get(id) ?? [],
      warnings: warnings.split('\n').filter((line) => line !== ''),
      error: null,
    };
  });
  return [...read, ...unread.map(unreadReport)].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function unreadReport({ path, reason }: UnreadSource): SourceReport {
  return {
    path,
    format: 'unknown',
    producer: null,
    vantage: 'unknown',
    sha256: '',
    bytes: 0,
    records: 0,
    skipped: 0,
    rejected: 0,
    duplicates: 0,
    evidence: [],
    rejects: [],
    warnings: [],
    error: reason,
  };
}
