import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/database/connect.ts';
import { int, text } from '#server/database/row-kinds.ts';
import { query } from '#server/database/statement.ts';

/** A column whose values are URLs of images, or null. */
export interface ImageColumn {
  table: PgTable;
  column: PgColumn;
}

/** Every image that a row names, in one statement: an image that moves between columns is never missed. */
function usedImages(columns: readonly ImageColumn[]): SQL {
  const each = columns.map(
    ({ table, column }) => sql`select ${column} as url from ${table} where ${column} is not null`,
  );
  return sql.join(each, sql` union `);
}

/** Whether any row names this image. */
export async function isImageUsed(db: Db, columns: readonly ImageColumn[], url: string): Promise<boolean> {
  const found = query({ one: int })(sql`select 1 as one from (${usedImages(columns)}) used where url = ${url} limit 1`);
  const [rows] = await db.ask(found);
  return rows.length > 0;
}

/** The URLs of every image that a row names. */
export async function listUsedImages(db: Pick<Db, 'ask'>, columns: readonly ImageColumn[]): Promise<Set<string>> {
  const [rows] = await db.ask(query({ url: text })(usedImages(columns)));
  return new Set(rows.map((row) => row.url));
}
