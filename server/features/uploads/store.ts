import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/database/connect.ts';

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
  const { rows } = await db.execute(sql`select 1 from (${usedImages(columns)}) used where url = ${url} limit 1`);
  return rows.length > 0;
}

/** The URLs of every image that a row names. */
export async function listUsedImages(db: Pick<Db, 'execute'>, columns: readonly ImageColumn[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ url: string }>(usedImages(columns));
  return new Set(rows.map((row) => row.url));
}
