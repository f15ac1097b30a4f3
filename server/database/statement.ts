import { createHash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Columns, Kind } from './row-kinds.ts';

/** A statement with its values, to be asked by `db.ask`. */
export interface Query<Row> {
  /** None where PostgreSQL need not keep it. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: pg.CustomTypesConfig;
  readonly writes: boolean;
  /** It reads a few rows by an index, is asked for all the time, and may wait for others of that kind. */
  readonly isQuick: boolean;
  /** What its rows are declared to be. Tests hold every answer to it; the product only passes it on. */
  readonly columns: Readonly<Record<string, Kind<unknown>>> | undefined;
  /** Never there: what its rows are like, for the compiler. */
  readonly row?: Row;
}

/** The rows of each of several calls. */
export type RowsOf<Calls extends readonly Query<unknown>[]> = {
  -readonly [Each in keyof Calls]: Calls[Each] extends Query<infer Row> ? Row[] : never;
};

/** A row of a statement, as it is declared. */
export type RowOf<Statement extends (...values: never[]) => Query<unknown>> =
  ReturnType<Statement> extends Query<infer Row> ? Row : never;

/** Instants as drizzle reads them, so that both ways answer the same; the driver's own way may be off by a millisecond. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => new Date(text)
      : (pg.types.getTypeParser(oid, format as 'text') as never),
};

const writing = /\b(?:insert\s+into|delete\s+from|update\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set)\b/i;

/** The columns of a statement whose rows nobody reads. */
export const none = undefined;

/**
 * A statement written by hand, prepared on each connection that keeps it under a name made of its text. The columns of its
 * rows come first, and make their type: `statement({ phone: text })<[id: number]>('select phone from users where id = $1')`.
 */
export function statement<Row = never>(columns: Columns<Row> | undefined, { isQuick = false } = {}) {
  return <Values extends unknown[] = unknown[]>(text: string): ((...values: Values) => Query<Row>) => {
    const name = `guichet-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    const writes = writing.test(text);
    return (...values) => ({ name, text, values, types, writes, isQuick, columns });
  };
}

const dialect = new PgDialect({ casing: 'snake_case' });

/** A statement made anew each time, where drizzle's own queries cannot say it; its columns come first too. */
export function query<Row>(columns: Columns<Row>): (statement: SQL) => Query<Row> {
  return (statement) => {
    const { sql: text, params: values } = dialect.sqlToQuery(statement);
    // Nobody looks for what it writes: a transaction begins before it.
    return { name: undefined, text, values, types, writes: true, isQuick: false, columns };
  };
}
