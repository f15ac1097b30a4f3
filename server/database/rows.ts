import { hash } from 'node:crypto';
import { getTableColumns, type Query, type SQL, type Table, sql as template } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { countedUpTo } from '#contract/shapes.ts';
import type { Db } from './connect.ts';

/** SQL written by hand; its values are parameters. For the commands too, which leave drizzle's builder to the stores. */
export const sql = template;
export type Sql = SQL;

/** Makes text and parameters of a template, for who asks with a driver's connection. */
export const dialect = new PgDialect({ casing: 'snake_case' });

/**
 * Asks SQL written by hand and answers its rows, which are as the caller says: cast `count(*)::int` and `numeric::float8`.
 * Instants are dates, read as drizzle reads a table's. A connection keeps what is `prepared`, for statements that are asked all the
 * time: their text must not grow with their values.
 */
export const rows = <Row>(db: Db, statement: SQL, kept?: 'prepared'): Promise<Row[]> =>
  ask(db, kept ? toPrepare(statement) : { query: dialect.sqlToQuery(statement) });

/** The same for a statement of the hottest paths, whose text is made once. Its values are `sql.placeholder`s. */
export function prepare<Row, Values extends Record<string, unknown>>(
  make: (db: Db) => SQL,
): (db: Db, values: Values) => Promise<Row[]> {
  let asked: Asked | undefined;
  return (db, values) => {
    asked ??= toPrepare(make(db));
    return ask(db, asked, values);
  };
}

interface Asked {
  query: Query;
  /** Of a prepared statement; node-postgres refuses one name for two texts. */
  name?: string;
}

function toPrepare(statement: SQL): Asked {
  const query = dialect.sqlToQuery(statement);
  return { query, name: hash('sha1', query.sql) };
}

async function ask<Row>(db: Db, { query, name }: Asked, values?: Record<string, unknown>): Promise<Row[]> {
  const prepared = db._.session.prepareQuery(query, undefined, name, false);
  const answer = (await prepared.execute(values)) as pg.QueryResult<Record<string, unknown>>;
  for (const field of answer.fields)
    if (field.dataTypeID === pg.types.builtins.TIMESTAMPTZ)
      for (const row of answer.rows) if (row[field.name] !== null) row[field.name] = new Date(String(row[field.name]));
  return answer.rows as Row[];
}

/** Every column of a table under the name that its rows have, for SQL written by hand. */
export function columnsOf(table: Table): SQL {
  const names = Object.keys(getTableColumns(table)).map(
    (key) => sql`${sql.identifier(toSnakeCase(key))} as ${sql.identifier(key)}`,
  );
  return sql.join(names, sql`, `);
}

/** The row of a statement that always answers one. */
export async function requireRow<Row>(db: Db, statement: SQL, kept?: 'prepared'): Promise<Row> {
  const [row] = await rows<Row>(db, statement, kept);
  if (row === undefined) throw new Error('a statement without its row');
  return row;
}

export interface Count {
  total: number;
  /** There are more than `total`. */
  capped: boolean;
}

/** Counts the rows of a query exactly up to 10,000; beyond, that there are more. Counting a million takes 0.1 s, without a use. */
export async function countUpToCap(db: Db, counted: SQL, kept?: 'prepared'): Promise<Count> {
  const { total } = await requireRow<{ total: number }>(db, sql`select ${fewOf(counted)} as total`, kept);
  return capped(total);
}

/** The same as part of another statement, whose answer `capped` reads. */
export const fewOf = (counted: SQL): SQL<number> =>
  sql`(select count(*)::int from (${counted} limit ${countedUpTo + 1}) counted)`;

export const capped = (few: number): Count => ({ total: Math.min(few, countedUpTo), capped: few > countedUpTo });

/**
 * A list of what is a user's own: rows of a table, newest first, after the row `before`, and how many there are in all. It is
 * read by one statement, since a person who opens the application, or whose list has changed, waits for it.
 */
export function prepareOwnList<Row extends { id: number }>(table: Table) {
  const value = sql.placeholder;
  const theirs = sql`from ${table} where user_id = ${value('userId')}`;
  const ask = prepare<Row & { total: number }, { userId: number; before: number | null; limit: number }>(
    () => sql`
      select counted.total, page.* from (select ${fewOf(sql`select ${theirs}`)} as total) counted left join (
        select ${columnsOf(table)} ${theirs} and id < coalesce(${value('before')}::int, 2147483647)
        order by id desc limit ${value('limit')}) page on true
      order by page.id desc`,
  );
  return async (
    db: Db,
    userId: number,
    { limit, before = null }: { limit: number; before?: number | null | undefined },
  ): Promise<{ rows: Row[]; count: Count }> => {
    const found = await ask(db, { userId, before, limit });
    // Where there is none, the total has a row for itself.
    return { rows: found.filter(({ id }) => id !== null), count: capped(found[0]?.total ?? 0) };
  };
}
