import { getTableColumns, type Table } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import pg from 'pg';

/** What a column of an answer is: PostgreSQL's types, and the type that the driver makes of them. */
export interface Kind<Value> {
  /** OIDs; the driver makes the same of each. */
  readonly types: readonly number[];
  readonly isNullable: boolean;
  /** The only values, where they are few. */
  readonly values?: readonly Value[];
  /** Never there: for the compiler. */
  readonly value?: Value;
}

/** The columns of a row by the names they have in an answer. */
export type Columns<Row> = { readonly [Key in keyof Row]: Kind<Row[Key]> };

const { builtins } = pg.types;
const kind = <Value>(...types: number[]): Kind<Value> => ({ types, isNullable: false });

export const int = kind<number>(builtins.INT4);
export const float = kind<number>(builtins.FLOAT8);
export const bool = kind<boolean>(builtins.BOOL);
export const text = kind<string>(builtins.TEXT);
export const instant = kind<Date>(builtins.TIMESTAMPTZ);
/** text[], whose OID the driver's list lacks. */
export const texts = kind<string[]>(1009);
export const json = <Value>(): Kind<Value> => kind(builtins.JSON, builtins.JSONB);
export const oneOf = <Value extends string>(...values: readonly Value[]): Kind<Value> => ({
  types: text.types,
  isNullable: false,
  values,
});
export const nullable = <Value>(of: Kind<Value>): Kind<Value | null> => ({ ...of, isNullable: true });

/** By the names that drizzle gives to its columns, whose arrays are of text; `columnsOf` reads each as this kind. */
const kinds: Readonly<Record<string, Kind<unknown>>> = {
  PgArray: texts,
  PgBoolean: bool,
  PgDateString: text,
  PgInteger: int,
  PgJsonb: json(),
  PgNumericNumber: float,
  PgText: text,
  PgTimestamp: instant,
};
/** As drizzle answers them: the driver answers a numeric as text, and a date as an instant. */
const casts: Readonly<Record<string, string>> = { PgDateString: '::text', PgNumericNumber: '::float8' };

/** The row of a whole table, as `columnsOf` reads it. Throws at start for a column of a type that has no kind here. */
export function rowOf<Of extends Table>(table: Of): Columns<Of['$inferSelect']> {
  const columns = Object.entries(getTableColumns(table)).map(([key, { columnType, enumValues, notNull }]) => {
    const known = enumValues?.length ? oneOf(...enumValues) : kinds[columnType];
    if (!known) throw new Error(`no kind of a row's column reads a ${columnType}`);
    return [key, notNull ? known : nullable(known)];
  });
  return Object.fromEntries(columns);
}

/** The same row where it may be missing, as behind a left join. */
export function nullableRow<Row>(columns: Columns<Row>): Columns<{ [Key in keyof Row]: Row[Key] | null }> {
  const each = Object.entries<Kind<unknown>>(columns).map(([key, of]) => [key, nullable(of)]);
  return Object.fromEntries(each);
}

/** Every column of a table as its rows have them, for a `select` or `returning`: `t.user_id as "userId"`. */
export function columnsOf(table: Table, alias?: string): string {
  return Object.entries(getTableColumns(table))
    .map(([key, { columnType }]) => {
      const name = `${alias ? `${alias}.` : ''}"${toSnakeCase(key)}"`;
      return `${name}${casts[columnType] ?? ''} as "${key}"`;
    })
    .join(', ');
}
