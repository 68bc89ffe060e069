import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Spans that an earlier source has brought already (an exporter's retry, overlapping export files) are taken out again.
 * The two ids of W3C trace context make a span the same one; client and server may share them, hence the vantage.
 * Within the transaction of the source.
 * @returns how many there were
 */
export async function removeDoubledSpans(connection: DuckDBConnection, sourceId: number): Promise<number> {
  if (sourceId === 1) return 0;
  await connection.run(
    `create or replace temp table doubled as
     select distinct n.exchange_id
     from exchange n
     join exchange o on o.trace_id = n.trace_id and o.span_id = n.span_id and o.locator = n.locator and o.vantage = n.vantage
     where n.source_id = $source_id and o.source_id < $source_id and n.locator like 'span %'`,
    { source_id: sourceId },
  );
  const result = await connection.run('select count(*) from doubled');
  const count = Number((await result.getRows())[0]?.[0] ?? 0);
  if (count > 0) {
    for (const table of ['exchange', 'event', 'message', 'tool']) {
      await connection.run(`delete from ${table} where exchange_id in (select exchange_id from doubled)`);
    }
  }
  await connection.run('drop table doubled');
  return count;
}
