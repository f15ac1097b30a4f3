import { createHash } from 'node:crypto';
import { getTableColumns, type Table } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import pg from 'pg';

/** A statement with its values, to be asked by `db.ask`. */
export interface Query<Row> {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: pg.CustomTypesConfig;
  readonly writes: boolean;
  /** It reads a few rows by an index, is asked for all the time, and may wait for others of that kind. */
  readonly isQuick: boolean;
  /** Never there: what its rows are like, for the compiler. */
  readonly row?: Row;
}

/** The rows of each of several calls. */
export type RowsOf<Calls extends readonly Query<unknown>[]> = {
  -readonly [Each in keyof Calls]: Calls[Each] extends Query<infer Row> ? Row[] : never;
};

/** Instants as drizzle reads them, so that both ways answer the same; the driver's own way may be off by a millisecond. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => new Date(text)
      : (pg.types.getTypeParser(oid, format as 'text') as never),
};

const writing = /\b(?:insert\s+into|delete\s+from|update\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set)\b/i;

/** A statement written by hand, prepared on each connection that keeps it under a name made of its text. */
export function statement<Row = never, Values extends unknown[] = unknown[]>(
  text: string,
  { isQuick = false }: { isQuick?: boolean } = {},
): (...values: Values) => Query<Row> {
  const name = `guichet-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  const writes = writing.test(text);
  return (...values) => ({ name, text, values, types, writes, isQuick });
}

/** Every column of a table as its rows have them, for a `select` or `returning`: `t.user_id as "userId"`. */
export function columnsOf(table: Table, alias?: string): string {
  return Object.entries(getTableColumns(table))
    .map(([key, column]) => {
      const name = `${alias ? `${alias}.` : ''}"${toSnakeCase(key)}"`;
      // As numbers, as drizzle answers them: the driver answers numeric as text.
      return `${name}${column.columnType === 'PgNumericNumber' ? '::float8' : ''} as "${key}"`;
    })
    .join(', ');
}
