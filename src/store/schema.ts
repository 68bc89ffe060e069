import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { PostmortemError } from '../error.js';
import { PACKAGE_ROOT, readSqlFolder } from './package-files.js';

const VERSION_TABLE = 'store_version';

/**
 * Creates the tables of `queries/schema` in an empty database, and checks in any other that they are the same ones.
 * The version is a digest of the table definitions, so that a changed column can never be forgotten.
 * @throws PostmortemError `store-version` when the database was made by another version or another program.
 */
export async function ensureSchema(connection: DuckDBConnection, path: string, readOnly: boolean): Promise<void> {
  const files = await readSqlFolder(`${PACKAGE_ROOT}queries/schema`);
  const version = schemaVersion(files.map((file) => file.text));
  const found = await foundVersion(connection);
  if (found === version) return;
  if (found !== null || readOnly || (await tableCount(connection)) > 0) {
    throw new PostmortemError(
      'store-version',
      `${path}: ${found === null ? 'is no mcp-postmortem database' : 'was written by another version of mcp-postmortem'}`,
      'Ingest the captures again into a new file, or use the version that wrote this one.',
    );
  }
  await connection.run('begin transaction');
  for (const file of files) await connection.run(file.text);
  await connection.run(`create table ${VERSION_TABLE} (version varchar not null)`);
  await connection.run(`insert into ${VERSION_TABLE} values ($version)`, { version });
  await connection.run('commit');
}

function schemaVersion(definitions: readonly string[]): string {
  const bare = definitions.map((text) => text.replace(/--[^\n]*/g, '').replace(/\s+/g, ' '));
  return createHash('sha256').update(bare.join(';')).digest('hex').slice(0, 16);
}

async function tableCount(connection: DuckDBConnection): Promise<number> {
  const result = await connection.run("select count(*) from information_schema.tables where table_schema = 'main'");
  return Number((await result.getRows())[0]?.[0] ?? 0);
}

async function foundVersion(connection: DuckDBConnection): Promise<string | null> {
  const known = await connection.run(
    `select count(*) from information_schema.tables where table_schema = 'main' and table_name = '${VERSION_TABLE}'`,
  );
  if (Number((await known.getRows())[0]?.[0] ?? 0) === 0) return null;
  const result = await connection.run(`select version from ${VERSION_TABLE}`);
  return String((await result.getRows())[0]?.[0] ?? '');
}
