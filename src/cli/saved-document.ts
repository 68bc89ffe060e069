import { PostmortemError } from '../error.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';

/** Keeps the document of the last run in the database, for `report`. */
export async function saveDocument(store: Store, document: ResultDocument): Promise<void> {
  await store.run('create or replace table result_document (document varchar not null)');
  await store.rows('insert into result_document values ($document)', { document: JSON.stringify(document) });
}

/** @throws PostmortemError `usage` when nothing has been judged yet */
export async function savedDocument(store: Store, path: string): Promise<ResultDocument> {
  const tables = await store.rows("select 1 from information_schema.tables where table_name = 'result_document'");
  const rows =
    tables.length === 0 ? [] : await store.rows<{ document: string }>('select document from result_document');
  if (rows[0] === undefined) {
    throw new PostmortemError(
      'usage',
      `${path}: nothing has been judged yet`,
      `Run mcp-postmortem detect --db ${path}`,
    );
  }
  return JSON.parse(rows[0].document) as ResultDocument;
}
