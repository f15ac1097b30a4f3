import { getTableName, type Table } from 'drizzle-orm';
import { countedUpTo } from '#contract/shapes.ts';
import type { Db } from './connect.ts';
import { columnsOf, statement } from './statement.ts';

/** A higher id than any row has: a page that begins with the newest. */
const afterAll = 2 ** 31;

/**
 * Reads pages of what belongs to somebody, newest first, and in the same statement how many rows there are in all: exactly
 * up to 10,000, as `countUpToCap` does.
 */
export function pagesOf<Row extends { id: number }>(table: Table, owner: string) {
  const theirs = `from "${getTableName(table)}" where "${owner}" = $1`;
  const ask = statement<Row & { rowsInAll: number }>(`
    select counted.total as "rowsInAll", page.*
    from (select count(*)::int as total from (select ${theirs} limit ${countedUpTo + 1}) few) counted
    left join lateral (select ${columnsOf(table)} ${theirs} and id < $2::bigint order by id desc limit $3) page on true
    order by page.id desc`);
  return async (db: Db, id: number, { limit, before = afterAll }: { limit: number; before?: number | undefined }) => {
    const [found] = await db.ask(ask(id, before, limit));
    const total = found[0]?.rowsInAll ?? 0;
    // With the count comes one row, even where the page has none.
    const rows = found.flatMap(({ rowsInAll: _, ...row }) => (row.id === null ? [] : [row as unknown as Row]));
    return { rows, count: { total: Math.min(total, countedUpTo), capped: total > countedUpTo } };
  };
}
