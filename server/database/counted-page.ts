import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type * as z from 'zod/mini';
import { countedUpTo } from '#contract/shapes.ts';
import type { Db } from './connect.ts';
import { RawJson } from './raw-json.ts';
import { statement } from './statement.ts';

/** A higher id than any row has: a page that begins with the newest. */
const afterAll = 2 ** 31;

interface Page {
  limit: number;
  before?: number | undefined;
}

/**
 * Reads pages of a person's rows, newest first, as the JSON that is sent: `shown` has the columns, and no other leaves.
 * The same statement counts all rows, exactly up to 10,000, as `countUpToCap` does.
 */
export function jsonPagesOf<Shown extends z.ZodMiniObject>(table: Table, owner: string, shown: Shown) {
  const theirs = `from "${getTableName(table)}" where "${owner}" = $1`;
  const ask = statement<{ total: number; rows: string }>(
    `
    select (select count(*)::int from (select ${theirs} limit ${countedUpTo + 1}) few) as total,
           (select coalesce(json_agg(page), '[]')::text from (
              select ${jsonColumnsOf(table, Object.keys(shown.shape))} ${theirs} and id < $2::bigint order by id desc limit $3
            ) page) as rows`,
    { isQuick: true },
  );
  return async (db: Db, id: number, { limit, before = afterAll }: Page) => {
    const [[found]] = await db.ask(ask(id, before, limit));
    const { total = 0, rows = '[]' } = found ?? {};
    return {
      rows: new RawJson<z.output<Shown>[]>(rows),
      count: { total: Math.min(total, countedUpTo), capped: total > countedUpTo },
    };
  };
}

/** Columns under the names that they have in JSON, instants as JavaScript writes them. */
function jsonColumnsOf(table: Table, shown: readonly string[]): string {
  const columns = getTableColumns(table);
  return shown
    .map((key) => {
      const name = `"${toSnakeCase(key)}"`;
      const isInstant = columns[key]?.columnType === 'PgTimestamp';
      return `${isInstant ? `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : name} as "${key}"`;
    })
    .join(', ');
}
