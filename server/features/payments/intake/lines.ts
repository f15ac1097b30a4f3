import { createHash } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { Payment, PaymentInput } from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { requireRow, rows, type Sql, sql } from '#server/database/rows.ts';
import { type ImportMark, noteBesideImport, noteImport, noteReversal } from './imported-lines.ts';
import { lockAccount } from './store.ts';

/** One movement of money as an input reports it. */
export interface ToldLine
  extends Pick<
    Payment,
    'direction' | 'state' | 'gross' | 'fee' | 'balanceAfter' | 'reference' | 'ourReference' | 'payer'
  > {
  paidAt: Date;
  /** Whether the sender may send; true for statements and wallets' servers. */
  senderMay: boolean;
  /** The taught shape that read the SMS, if any. */
  shapeId?: number | null;
}

interface KeyedLine extends ToldLine {
  key: string;
  plainReference: string | null;
}

/** The bit of an input in `seen_in`. */
export const bitOf = (input: PaymentInput): number => ({ sms: 1, paste: 2, wave: 4, file: 8, person: 16 })[input];

/** Lines written in one SQL statement. */
const linesAtOnce = 5_000;
/** Inputs report the same payment minutes apart, by different clocks. */
const nearMs = 10 * 60_000;
const near = sql`make_interval(secs => ${nearMs / 1_000})`;
/** Day and month swapped are at least 27 days apart. */
const farMs = 26 * 86_400_000;
/** Bits of the inputs with the operator's own time: a wallet's server and a statement. */
const exactBits = bitOf('wave') | bitOf('file');

/**
 * Gives each line a key that is the same for every input: the operator's id. Without one the key is made of the known facts, to the
 * minute, and a number among equals, so that two payments stay two lines.
 */
function keyLines(lines: readonly ToldLine[]): KeyedLine[] {
  const equals = new Map<string, number>();
  return lines.map((line) => {
    const { direction, gross, payer, paidAt } = line;
    const reference = plainReference(line.reference);
    if (reference !== null) return { ...line, key: `r:${direction}:${reference}`, plainReference: reference };
    const known = [direction, gross, payer, Math.floor(paidAt.getTime() / 60_000)].join('|');
    const place = (equals.get(known) ?? 0) + 1;
    equals.set(known, place);
    const hash = createHash('sha256').update(`${known}|${place}`).digest('base64url').slice(0, 22);
    // Marks alone, such as a statement's dash, are no reference.
    return { ...line, key: `h:${hash}`, reference: null, plainReference: null };
  });
}

interface Account {
  accountId: number;
  /** The reporting input's bit. */
  bit: number;
  /** The running import, which can be undone. */
  mark: ImportMark | undefined;
}

interface StoredLine extends Pick<ToldLine, 'direction' | 'state' | 'gross' | 'payer' | 'paidAt'> {
  id: number;
  key: string;
  namelessKey: string | null;
  isNameless: boolean;
  seenIn: number;
}

/** Joins a stored line without the operator's id with a reported one that has it, or the reverse, by giving it the missing key. */
const adopt = (mark: ImportMark | undefined, pairs: readonly object[]) => sql`
  update payment_lines l set ${mark ? sql`${noteImport(mark)},` : sql``} nameless_key = case when p."isNameless" then l.line_key else p.key end,
    line_key = case when p."isNameless" then p.key else l.line_key end,
    reference = coalesce(l.reference, p.reference)
  from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb)
    as p(id int, key text, reference text, "isNameless" boolean)
  where l.id = p.id`;

/**
 * Joins a payment that one input reports with the operator's id and another one without it. Each reported line, the earliest first, takes
 * the earliest stored line with equal direction, amount, payer and time, if only another input reported that. Answers the lines under
 * their stored keys.
 */
async function adoptNear(tx: Db, { accountId, bit, mark }: Account, lines: readonly KeyedLine[]): Promise<KeyedLine[]> {
  const inOrder = lines.toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  const keys = sql`${sql.param(lines.map(({ key }) => key))}::text[]`;
  const stored = await rows<StoredLine>(
    tx,
    sql`select id, line_key as key, nameless_key as "namelessKey", plain_reference is null as "isNameless", direction, state,
          gross, payer, paid_at as "paidAt", seen_in as "seenIn"
        from payment_lines where account_id = ${accountId} and (line_key = any(${keys}) or nameless_key = any(${keys})
          or paid_at between ${inOrder[0]?.paidAt}::timestamptz - ${near} and ${inOrder.at(-1)?.paidAt}::timestamptz + ${near})
        order by paid_at, id`,
  );
  const known = new Set(stored.map(({ key }) => key));
  const keyOf = new Map(stored.flatMap(({ namelessKey, key }) => (namelessKey === null ? [] : [[namelessKey, key]])));
  const likeOf = ({ direction, gross, payer }: ToldLine | StoredLine) => `${direction} ${gross} ${payer}`;
  const free = Map.groupBy(
    stored.filter(({ state, seenIn }) => state !== 'failed' && (seenIn & bit) === 0),
    likeOf,
  );
  const pairs: object[] = [];
  for (const line of inOrder) {
    if (known.has(line.key) || keyOf.has(line.key) || line.state === 'failed') continue;
    const like = free.get(likeOf(line)) ?? [];
    const place = like.findIndex(
      ({ isNameless, paidAt }) =>
        isNameless === (line.plainReference !== null) && Math.abs(paidAt.getTime() - line.paidAt.getTime()) <= nearMs,
    );
    const [found] = place < 0 ? [] : like.splice(place, 1);
    if (!found) continue;
    keyOf.set(line.key, found.isNameless ? line.key : found.key);
    pairs.push({ ...line, id: found.id, isNameless: found.isNameless });
  }
  await tx.execute(adopt(mark, pairs));
  return lines.map((line) => ({ ...line, key: keyOf.get(line.key) ?? line.key }));
}

/** SQL names: the stored line `l`, its state `b` without an import, and the reported line `excluded`. */
type LineName = 'l' | 'b' | 'excluded';
const columnOf = (line: LineName, name: string) => sql.raw(`${line}.${name}`);
const isExact = (line: LineName) => sql`(${columnOf(line, 'seen_in')} & ${exactBits}::int > 0)`;
const stateOrder = sql`array['announced', 'failed', 'settled', 'reversed']`;
const isLater = (line: LineName) =>
  sql`(array_position(${stateOrder}, excluded.state) > array_position(${stateOrder}, ${columnOf(line, 'state')}))`;
/**
 * Whether two times differ too much for a late message, as with day and month swapped. Smaller differences are corrected by the
 * operator's own time.
 */
const isFar = (line: LineName) =>
  sql`(abs(extract(epoch from ${columnOf(line, 'paid_at')} - excluded.paid_at)) > ${farMs / 1_000})`;
const dayOf = (line: LineName) => sql`to_char(${columnOf(line, 'paid_at')} at time zone 'UTC', 'DD/MM/YYYY')`;

/** What two inputs, or two files, report differently: an operator's id that another payment has too, or a misread number. */
function differs(line: LineName): Sql {
  const [gross, payer, at] = ['gross', 'payer', 'paid_at'].map((name) => columnOf(line, name)) as [Sql, Sql, Sql];
  return sql`case
    when ${gross} <> excluded.gross
      then 'Deux sources disent des montants différents : ' || ${gross} || ' et ' || excluded.gross || ' FCFA.'
    when ${payer} like '+%' and excluded.payer like '+%' and ${payer} <> excluded.payer
      then 'Deux sources disent des payeurs différents.'
    when ${isExact(line)} and ${isExact('excluded')}
      and ${at} not between excluded.paid_at - ${near} and excluded.paid_at + ${near}
      then 'L''opérateur donne cette référence à deux heures : est-ce un paiement, ou deux ?'
    when ${isExact(line)} <> ${isExact('excluded')} and ${isFar(line)}
      then 'Deux sources disent des dates éloignées : le ' || ${dayOf(line)} || ' et le ' || ${dayOf('excluded')} || '.' end`;
}

/** The columns of a stored line after merging the reported one. */
function merged(line: LineName): Record<string, Sql> {
  const or = (name: string) => sql`coalesce(${columnOf(line, name)}, ${columnOf('excluded', name)})`;
  const [state, payer, at] = ['state', 'payer', 'paid_at'].map((name) => columnOf(line, name)) as [Sql, Sql, Sql];
  return {
    seen_in: sql`${columnOf(line, 'seen_in')} | excluded.seen_in`,
    state: sql`case when ${isLater(line)} then excluded.state else ${state} end`,
    fee: or('fee'),
    balance_after: or('balance_after'),
    reference: or('reference'),
    our_reference: or('our_reference'),
    payer: sql`case when ${payer} is null or (${payer} not like '+%' and excluded.payer like '+%') then excluded.payer else ${payer} end`,
    paid_at: sql`case when ${isExact('excluded')} and not ${isExact(line)} and not ${isFar(line)} then excluded.paid_at else ${at} end`,
    is_trusted: sql`${columnOf(line, 'is_trusted')} or excluded.is_trusted`,
    shape_id: sql`case when ${state} = 'announced' then ${columnOf(line, 'shape_id')} else ${or('shape_id')} end`,
    anomaly: sql`coalesce(${columnOf(line, 'anomaly')}, ${differs(line)})`,
  };
}
/** Whether the reported line adds facts to the stored one. */
const isNews = (line: LineName) => sql`(${columnOf(line, 'seen_in')} & excluded.seen_in = 0 or ${isLater(line)}
  or (${columnOf(line, 'anomaly')} is null and ${differs(line)} is not null))`;
/** The same for the line's state without an import. */
const isNewsWithout = sql`exists (
  select from jsonb_populate_record(null::payment_lines, l.before_import) b where ${isNews('b')})`;
const gains = sql.join(
  Object.entries(merged('l')).map(([name, value]) => sql`${sql.raw(name)} = ${value}`),
  sql`, `,
);
const besideImport = noteBesideImport({ isNews: isNews('b'), merged: merged('b') });

/**
 * Writes, for each key, the first of the lines that adds facts. A stored line gains these facts, and its state only advances. Answers the
 * written places. Without `offset 0` PostgreSQL would hash all lines of the account.
 */
const write = ({ accountId, bit, mark }: Account, lines: readonly KeyedLine[]) => sql`
  with told as (
    select ${accountId}::int as account_id, key as line_key, direction, state, gross, fee, "balanceAfter" as balance_after,
      reference, "ourReference" as our_reference, payer, "paidAt" as paid_at,
      ${bit}::int as seen_in, "senderMay" as is_trusted, "shapeId" as shape_id, ${mark?.id ?? null}::int as import_id, ordinality as place
    from rows from (jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as (
      key text, direction text, state text, gross int, fee bigint, "balanceAfter" bigint, reference text,
      "ourReference" int, payer text, "paidAt" timestamptz, "senderMay" boolean, "shapeId" int))
      with ordinality
  ), news as (
    select distinct on (excluded.line_key) excluded.*
    from told excluded left join lateral (select * from payment_lines
      where account_id = excluded.account_id and line_key = excluded.line_key offset 0) l on true
    where l.id is null or ${isNews('l')}${mark ? sql`` : sql` or l.before_import is not null and ${isNewsWithout}`}
    order by excluded.line_key, place
  ), written as (
    insert into payment_lines as l (${writtenColumns}) select ${writtenColumns} from news order by place
    on conflict (account_id, line_key) do update set ${gains}, ${mark ? noteImport(mark) : besideImport}, updated_at = now()
    returning line_key, xmax = 0 as is_new)
  select place::int - 1 as place, is_new as "isNew" from news join written using (line_key)`;
const writtenColumns = sql.raw(
  `account_id, line_key, direction, state, gross, fee, balance_after, reference, our_reference, payer, paid_at, seen_in, is_trusted, shape_id, import_id`,
);

interface Touched {
  place: number;
  isNew: boolean;
}

/** Writes lines in their order. Repetitions of a key that add no facts cost no further SQL statements. */
async function writeAll(tx: Db, account: Account, lines: readonly KeyedLine[]): Promise<Touched[]> {
  const touched: Touched[] = [];
  for (let left = lines; left.length > 0; ) {
    const some = await rows<Touched>(tx, write(account, left));
    touched.push(...some);
    const written = new Map(some.map(({ place }) => [left[place]?.key, place]));
    left = left.filter(({ key }, place) => place > (written.get(key) ?? Number.POSITIVE_INFINITY));
  }
  return touched;
}

const takenBack = {
  taken_back: sql`r.gross`,
  state: sql`case when r.gross = l.gross then 'reversed' else l.state end`,
  anomaly: sql`case when r.gross = l.gross then 'L''opérateur a repris ce paiement.'
    else 'L''opérateur a repris ' || r.gross || ' FCFA de ce paiement.' end`,
};
/**
 * Reverses the payments of these references for which a reversal exists, in either order. A reversal of another amount takes back a part.
 */
export const reverse = ({ accountId, mark }: Pick<Account, 'accountId' | 'mark'>, references: string[]) => sql`
  update payment_lines l set taken_back = ${takenBack.taken_back}, state = ${takenBack.state}, anomaly = ${takenBack.anomaly}, updated_at = now(),
    ${mark ? noteImport(mark) : noteReversal(takenBack)}
  from payment_lines r
  where r.account_id = ${accountId} and r.direction = 'reversal' and r.state <> 'failed' and r.plain_reference = any(${sql.param(references)}::text[])
    and l.account_id = ${accountId} and l.plain_reference = r.plain_reference and l.direction = 'in' and l.state <> 'reversed'
    and (r.gross = l.gross or l.taken_back is distinct from r.gross)`;

/** Ignores lines that only SMS reported and no ticket has, or undoes that; answers how many. */
export async function ignoreLines(
  tx: Db,
  accountId: number,
  told: readonly ToldLine[],
  isIgnored: boolean,
): Promise<number> {
  // Keyed one by one, as they were when they arrived.
  const keys = sql`${sql.param(told.flatMap((line) => keyLines([line])).map(({ key }) => key))}::text[]`;
  const { rowCount } = await tx.execute(sql`
    update payment_lines set is_ignored = ${isIgnored}, updated_at = now()
    where account_id = ${accountId} and (line_key = any(${keys}) or nameless_key = any(${keys}))
      and is_ignored <> ${isIgnored} and not is_matched and seen_in = ${bitOf('sms')}::int`);
  return rowCount ?? 0;
}

/** Collects the other imports that have these lines. */
async function noteOver(tx: Db, { accountId, mark }: Account, lines: readonly KeyedLine[]): Promise<void> {
  const keys = sql`${sql.param(lines.map(({ key }) => key))}::text[]`;
  const found = await rows<{ id: number }>(
    tx,
    sql`select distinct import_id as id from payment_lines
        where account_id = ${accountId} and line_key = any(${keys}) and import_id <> ${mark?.id ?? null}`,
  );
  for (const { id } of found) mark?.over.add(id);
}

/** The same for the lines that this import changed. */
async function noteOverChanged(tx: Db, mark: ImportMark): Promise<void> {
  const found = await rows<{ id: number }>(
    tx,
    sql`select distinct (before_import->>'import_id')::int as id from payment_lines
        where import_id = ${mark.id} and before_import ? 'import_id'`,
  );
  for (const { id } of found) mark.over.add(id);
}

/**
 * Writes the lines that an input reports for an account, in the caller's transaction. A repeated report, by the same or another input,
 * stays one line. Throws PAYMENT_ACCOUNT_NOT_FOUND. `completed` counts stored lines that gained facts. A statement's `mark` lets the
 * import be undone.
 */
export async function recordLines(
  tx: Db,
  accountId: number,
  input: PaymentInput,
  told: readonly ToldLine[],
  mark?: ImportMark,
): Promise<{ created: number; completed: number; unchanged: number }> {
  await lockAccount(tx, accountId);
  const account = { accountId, bit: bitOf(input), mark };
  const lines = keyLines(told);
  // Lines are joined only if some stored or reported line has no operator's id.
  const { isMixed } = await requireRow<{ isMixed: boolean }>(
    tx,
    sql`select exists (select from payment_lines where account_id = ${accountId} and plain_reference is null)
      or ${lines.some(({ plainReference }) => plainReference === null)} as "isMixed"`,
  );
  const recorded = { created: 0, completed: 0, unchanged: told.length };
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    if (mark && performance.now() > mark.until) throw new Failure('BUSY');
    const some = lines.slice(at, at + linesAtOnce);
    const keyed = isMixed ? await adoptNear(tx, account, some) : some;
    const touched = await writeAll(tx, account, keyed);
    await tx.execute(reverse(account, [...new Set(keyed.flatMap(({ plainReference }) => plainReference ?? []))]));
    const created = touched.filter(({ isNew }) => isNew).length;
    // If every line is new, no other import has any of them.
    if (mark && created < keyed.length) await noteOver(tx, account, keyed);
    recorded.created += created;
    recorded.completed += touched.length - created;
    recorded.unchanged -= touched.length;
  }
  if (mark) await noteOverChanged(tx, mark);
  return recorded;
}
