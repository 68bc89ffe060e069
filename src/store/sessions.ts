import type { DuckDBConnection } from '@duckdb/node-api';
import type { SessionRow } from '../readers/rows.js';
import { BulkAppender } from './bulk-appender.js';
import { sessionCells } from './cells.js';

/** Adds the sessions that the table does not hold yet. Within the transaction of a source. */
export async function writeSessions(connection: DuckDBConnection, rows: Iterable<SessionRow>): Promise<void> {
  await connection.run('create or replace temp table session_seen as select * from session limit 0');
  const appender = await BulkAppender.open(connection, 'session_seen');
  for (const row of rows) appender.append(sessionCells(row));
  appender.close();
  await connection.run('insert into session select * from session_seen anti join session using (session)');
  await connection.run('drop table session_seen');
}

/** Columns that hold session tags. */
const TAG_COLUMNS = [
  ['exchange', 'request_session'],
  ['exchange', 'response_session'],
  ['exchange', 'cursor_session'],
  ['event', 'id_session'],
] as const;

/**
 * A log may show a session id hashed and a capture beside it the id itself: the hash is replaced by the id's tag.
 * @param aliases pairs of the tag of the hash and the tag of the id.
 */
export async function joinAliases(
  connection: DuckDBConnection,
  aliases: readonly (readonly [alias: string, canonical: string])[],
): Promise<void> {
  if (aliases.length === 0) return;
  await connection.run('begin transaction');
  await connection.run('create or replace temp table session_alias (alias varchar, canonical varchar)');
  const appender = await BulkAppender.open(connection, 'session_alias');
  for (const pair of aliases) appender.append(pair);
  appender.close();
  for (const [table, column] of TAG_COLUMNS) {
    await connection.run(
      `update ${table} set ${column} = canonical from session_alias where ${table}.${column} = session_alias.alias`,
    );
  }
  await connection.run('delete from session using session_alias where session.session = session_alias.alias');
  await connection.run('drop table session_alias');
  await connection.run('commit');
}
