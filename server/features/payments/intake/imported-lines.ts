import { type Sql, sql } from '#server/database/rows.ts';

/** A running import of a statement. */
export interface ImportMark {
  id: number;
  /** Earlier imports that also have some of its lines. */
  over: Set<number>;
  /** When its writing ends unfinished, by `performance.now()`. */
  until: number;
}

/** The columns of a line that its inputs write. */
export const toldColumns = [
  'line_key',
  'nameless_key',
  'state',
  'gross',
  'fee',
  'balance_after',
  'reference',
  'our_reference',
  'payer',
  'paid_at',
  'seen_in',
  'is_trusted',
  'shape_id',
  'taken_back',
  'anomaly',
];

const jsonOf = (columns: Record<string, Sql>) => {
  const pairs = Object.entries(columns).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs, sql`, `)}))`;
};
const columnsOf = (line: 'l' | 'excluded', names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sql.raw(`${line}.${name}`)]));
/** The line's present columns, with its state before an earlier import. */
const asItStands = jsonOf(columnsOf('l', [...toldColumns, 'import_id', 'before_import']));

/** Saves an existing line `l` once, before an import changes it. */
export const noteImport = ({ id }: ImportMark) => sql`
  import_id = ${id}::int,
  before_import = case when l.import_id = ${id}::int then l.before_import else ${asItStands} end`;

/**
 * Applies another input's facts also to the saved state `b` of an imported line, so that undoing the import keeps them. `merged` is that
 * state's new columns, if the facts are `isNews`.
 */
export const noteBesideImport = ({ isNews, merged }: { isNews: Sql; merged: Record<string, Sql> }) => {
  // An input without the operator's id finds the line by its other key.
  const byOtherKey = sql`excluded.reference is null and l.nameless_key is not null`;
  const alone = {
    ...columnsOf('excluded', toldColumns),
    line_key: sql`case when ${byOtherKey} then l.nameless_key else excluded.line_key end`,
  };
  const isNamed = sql`b.reference is null and excluded.reference is not null`;
  const together = {
    ...merged,
    line_key: sql`case when ${isNamed} then excluded.line_key else b.line_key end`,
    nameless_key: sql`case when ${isNamed} then b.line_key when ${byOtherKey} and b.reference is not null
      then l.nameless_key else b.nameless_key end`,
  };
  return sql`
  before_import = case when l.import_id is null then null when l.before_import is null then ${jsonOf(alone)}
    else (select case when ${isNews} then l.before_import || ${jsonOf(together)} else l.before_import end
      from jsonb_populate_record(null::payment_lines, l.before_import) b) end`;
};

const isOfImport = sql`r.import_id is not null and r.before_import is null`;
/**
 * The columns for a line `l` that a reversal `r` takes back, besides `changes`. A reversal of an import alone belongs to that import. Any
 * other one also applies to the line's saved state.
 */
export const noteReversal = (changes: Record<string, Sql>) => sql`
  import_id = case when ${isOfImport} then coalesce(l.import_id, r.import_id) else l.import_id end,
  before_import = case when not (${isOfImport}) then l.before_import || ${jsonOf(changes)}
    when l.import_id is null then ${asItStands} else l.before_import end`;
