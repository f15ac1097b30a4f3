import pg from 'pg';
import { PreparedClient } from '#server/database/clients.ts';
import type { Kind } from '#server/database/row-kinds.ts';
import type { Query } from '#server/database/statement.ts';

/**
 * A connection that holds the answers of our own statements to their declared columns: the names, PostgreSQL's types, no
 * null where none is declared, and the only values of a kind that lists them. The tests' applications use it.
 */
export class CheckedClient extends PreparedClient {
  override query(...given: unknown[]): never {
    const answer = super.query(...given) as Promise<pg.QueryResult>;
    const { text, columns } = (given[0] ?? {}) as Partial<Query<unknown>>;
    if (text === undefined || columns === undefined) return answer as never;
    const checked = answer.then((result) => {
      const wrong = [...differences(result.fields, columns), ...wrongValues(result.rows, columns)];
      if (wrong.length > 0)
        throw new Error(`a statement is not as declared: ${wrong.join('; ')}: ${text.replace(/\s+/g, ' ').trim()}`);
      return result;
    });
    return checked as never;
  }
}

type Declared = Readonly<Record<string, Kind<unknown>>>;

function differences(fields: readonly pg.FieldDef[], columns: Declared): string[] {
  const names = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  return [
    ...(names.size < fields.length ? ['two of its columns have one name'] : []),
    ...Object.keys(columns).flatMap((name) => (names.has(name) ? [] : `column ${name} is not answered`)),
    ...[...names].flatMap(([name, type]) => {
      const kind = columns[name];
      if (!kind) return `column ${name} is not declared`;
      return kind.types.includes(type) ? [] : `column ${name} is a ${nameOf(type)}, not a ${kind.types.map(nameOf)}`;
    }),
  ];
}

const nameOf = (type: number) =>
  Object.entries(pg.types.builtins).find(([, oid]) => oid === type)?.[0] ?? `type ${type}`;

function wrongValues(rows: readonly Record<string, unknown>[], columns: Declared): string[] {
  return Object.entries(columns).flatMap(([name, { isNullable, values }]) => {
    const wrong = rows
      .map((row) => row[name])
      .find((value) => (value === null ? !isNullable : values !== undefined && !values.includes(value)));
    if (wrong === undefined) return [];
    return wrong === null
      ? `column ${name} is null`
      : `column ${name} has ${JSON.stringify(wrong)}, which is none of its values`;
  });
}
