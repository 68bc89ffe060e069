import { expect, test } from 'vitest';
import { eventCells, exchangeCells, messageCells, sessionCells, toolCells } from '../../src/store/cells.js';
import { openStore } from '../../src/store/open.js';

/** A row whose every field holds its own name. */
const named = <T extends object>() => new Proxy({}, { get: (_, name) => name }) as T;

test('cells stand in the order of the columns of their tables', async () => {
  const store = await openStore({ path: ':memory:' });
  const columnsOf = async (table: string) =>
    (await store.rows<{ name: string }>(`select name from pragma_table_info('${table}')`)).map(({ name }) => name);
  const [exchange, event, message, tool, session] = await Promise.all(
    ['exchange', 'event', 'message', 'tool', 'session'].map(columnsOf),
  );
  store.close();
  expect(exchangeCells(1n, 2, named())).toEqual([1n, 2, ...exchange!.slice(2)]);
  expect(exchange!.slice(0, 2)).toEqual(['exchange_id', 'source_id']);
  expect(eventCells(1n, named())).toEqual([1n, ...event!.slice(1)]);
  expect(messageCells(1n, named())).toEqual([1n, ...message!.slice(1)]);
  expect(toolCells(1n, named())).toEqual([1n, ...tool!.slice(1)]);
  expect(sessionCells(named())).toEqual(session);
});
