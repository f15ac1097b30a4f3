import { getTableColumns, getTableName, type SQL, sql, type Table } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type * as z from 'zod/mini';
import { countedUpTo } from '#contract/shapes.ts';
import type { Db } from './connect.ts';
import { int, text } from './row-kinds.ts';
import { query, statement } from './statement.ts';
import { requireRow } from './store.ts';

/** Counts the rows of a query exactly up to 10,000; beyond, that there are more. Counting a million takes 0.1 s, without a use. */
export async function countUpToCap(db: Db, rows: SQL): Promise<{ total: number; capped: boolean }> {
  const { total } = await requireRow(db, query({ total: int })(sql`select ${fewOf(rows)} as total`));
  return capped(total);
}

/** The same as part of another statement, whose answer `capped` reads. */
export const fewOf = (rows: SQL): SQL<number> =>
  sql`(select count(*)::int from (${rows} limit ${countedUpTo + 1}) counted)`;

export const capped = (few: number) => ({ total: Math.min(few, countedUpTo), capped: few > countedUpTo });

/** JSON text of PostgreSQL that is sent as it is, for a value that the server need not parse. */
export class RawJson<Value> {
  readonly text: string;
  /** Never there: what the JSON is of, for the compiler. */
  declare readonly value?: Value;

  constructor(text: string) {
    this.text = text;
  }
}

/** A higher id than any row has: a page that begins with the newest. */
const afterAll = 2 ** 31;

interface Page {
  limit: number;
  before?: number | undefined;
}

/** Reads pages of a person's rows, newest first, as the JSON that is sent, with no column but `shown`; counts as `countUpToCap`. */
export function jsonPagesOf<Shown extends z.ZodMiniObject>(table: Table, owner: string, shown: Shown) {
  const theirs = `from "${getTableName(table)}" where "${owner}" = $1`;
  const ask = statement(
    { total: int, rows: text },
    { isQuick: true },
  )(`
    select (select count(*)::int from (select ${theirs} limit ${countedUpTo + 1}) few) as total,
           (select coalesce(json_agg(page), '[]')::text from (
              select ${jsonColumnsOf(table, Object.keys(shown.shape))} ${theirs} and id < $2::bigint order by id desc limit $3
            ) page) as rows`);
  return async (db: Db, id: number, { limit, before = afterAll }: Page) => {
    const [[found]] = await db.ask(ask(id, before, limit));
    return { rows: new RawJson<z.output<Shown>[]>(found?.rows ?? '[]'), count: capped(found?.total ?? 0) };
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
