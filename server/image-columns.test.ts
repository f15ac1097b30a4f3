import { getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startTestApi } from '#server/testing/test-api.ts';
import { imageColumns } from './image-columns.ts';

const api = await startTestApi();

test('every column of the database that is named for an image is one that keeps its images', async () => {
  const { rows } = await api.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name ~ 'image|picture|photo|icon|logo' order by 1`,
  );
  const registered = imageColumns.map(({ table, column }) => `${getTableName(table)}.${snakeCase(column.name)}`);
  // An emoji.
  const named = rows.map((row) => row.name).filter((name) => name !== 'payment_types.icon');
  expect(registered.sort()).toEqual(named);
});

/** The tables name their columns in camel case; the connection turns that into the database's case. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
