import type { PaymentInput } from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows, type Sql, sql } from '#server/database/rows.ts';
import { bitOf, type KeyedLine } from './lines.ts';
import { lockAccount } from './store.ts';

/** Lines as `keyLines` names them, from JSON. */
const given = (lines: readonly KeyedLine[]) => sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as g(
  key text, direction text, state text, gross int, fee bigint, "balanceAfter" bigint, reference text,
  "plainReference" text, "ourReference" int, payer text, "paidAt" timestamptz, "isDayOnly" boolean, "isTrusted" boolean)`;

/** What one input tells may come minutes after another one tells it, by another clock. */
const near = sql`interval '10 minutes'`;

/** Each told line is looked up by itself: a limit keeps the planner, which knows nothing of new rows, to the indexes. */
const nearAtMost = 200;

/**
 * Stored lines that told ones may be, where one of the two has no operator's id: of the same direction, amount and payer, by
 * another input, at about the time. Those that were told without an id before are known by that key.
 */
async function findNear(tx: Db, { accountId, bit }: Account, lines: readonly KeyedLine[]) {
  const isLike = sql`l.gross = told.gross and l.paid_at between told."paidAt" - ${near} and told."paidAt" + ${near}
    and l.account_id = ${accountId} and l.direction = told.direction and l.state <> 'failed' and l.seen_in & ${bit}::int = 0
    and (l.plain_reference is null) <> (told."plainReference" is null)`;
  return rows<{ place: number; id: number; key: string; isNameless: boolean; isKnown: boolean; paidAt: Date }>(
    tx,
    sql`
      with told as (select g.*, row_number() over () as place from ${given(lines)})
      select told.place::int, l.id, l.line_key as key, false as "isNameless", true as "isKnown", l.paid_at as "paidAt"
      from told join payment_lines l on l.account_id = ${accountId} and l.nameless_key = told.key
      union all
      select told.place::int, l.id, l.line_key, l.plain_reference is null, false, l.paid_at
      from told cross join lateral (
        (select * from payment_lines l where l.payer = told.payer and ${isLike} limit ${nearAtMost})
        union all
        (select * from payment_lines l where told.payer is null and l.payer is null and ${isLike} limit ${nearAtMost})) l
      where told.state <> 'failed'
        -- Nothing that is stored has its key.
        and not exists (select from payment_lines k where k.account_id = ${accountId} and k.line_key = told.key)
        and not exists (select from payment_lines k where k.account_id = ${accountId} and k.nameless_key = told.key)
      order by "paidAt", id`,
  );
}

interface Account {
  accountId: number;
  /** Of the input that tells of it. */
  bit: number;
}

/** Gives a line that was told without the operator's id the key of a row that has it, or the other way about. */
const adopt = (pairs: readonly object[]) => sql`
  update payment_lines l set nameless_key = case when p."isNameless" then l.line_key else p.key end,
    line_key = case when p."isNameless" then p.key else l.line_key end,
    reference = coalesce(l.reference, p.reference), plain_reference = coalesce(l.plain_reference, p."plainReference")
  from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb)
    as p(id int, key text, reference text, "plainReference" text, "isNameless" boolean)
  where l.id = p.id`;

/**
 * Of one payment that an input tells with the operator's id and another one without it, the two become one: each told line, the
 * earliest first, takes the earliest stored one that it may be. Answers the lines under the keys that are stored now.
 */
async function adoptNear(tx: Db, account: Account, lines: readonly KeyedLine[]): Promise<readonly KeyedLine[]> {
  const nearOf = Map.groupBy(await findNear(tx, account, lines), ({ place }) => place - 1);
  const keys = new Map<string, string>();
  const taken = new Set<number>();
  const pairs: object[] = [];
  for (const [place, line] of [...lines.entries()].toSorted(([, a], [, b]) => a.paidAt.localeCompare(b.paidAt))) {
    const stored = nearOf.get(place)?.find(({ id, isKnown }) => isKnown || !taken.has(id));
    if (!stored || keys.has(line.key)) continue;
    taken.add(stored.id);
    keys.set(line.key, stored.isNameless ? line.key : stored.key);
    if (!stored.isKnown) pairs.push({ ...line, id: stored.id, isNameless: stored.isNameless });
  }
  await tx.execute(adopt(pairs));
  return lines.map((line) => ({ ...line, key: keys.get(line.key) ?? line.key }));
}

const order = sql`array['announced', 'failed', 'settled', 'reversed']`;
const isLater = sql`array_position(${order}, excluded.state) > array_position(${order}, l.state)`;
/** Bits of inputs whose time is the operator's own: a wallet's server and a statement. */
const exact = sql`${bitOf('wave') | bitOf('file')}::int`;

const isBetterTime = sql`not excluded.is_day_only
  and (l.is_day_only or (excluded.seen_in & ${exact} > 0 and l.seen_in & ${exact} = 0))`;

/** An operator's id that another payment has too, or one number that is read wrongly. */
const isOtherPayer = sql`l.payer like '+%' and excluded.payer like '+%' and l.payer <> excluded.payer`;

/** One id at two times that the operator itself tells: two payments, or one that stands twice. */
const isOtherTime = sql`not l.is_day_only and not excluded.is_day_only and l.seen_in & ${exact} > 0 and excluded.seen_in & ${exact} > 0
  and l.paid_at not between excluded.paid_at - ${near} and excluded.paid_at + ${near}`;
const twoTimes = sql`'L''opérateur donne cette référence à deux heures : est-ce un paiement, ou deux ?'`;
const twoAmounts = (one: Sql, other: Sql) =>
  sql`'Deux sources disent des montants différents : ' || ${one} || ' et ' || ${other} || ' FCFA.'`;
/** What two inputs, or two rows of one, tell differently. */
const differs = sql`case
  when l.gross <> excluded.gross then ${twoAmounts(sql`l.gross`, sql`excluded.gross`)}
  when ${isOtherPayer} then 'Deux sources disent des payeurs différents.'
  when ${isOtherTime} then ${twoTimes} end`;

/** Writes lines; a known one gains what the row adds, and its state only advances. Answers those that were touched. */
const write = ({ accountId, bit }: Account, lines: readonly KeyedLine[]) => sql`
  insert into payment_lines as l (account_id, line_key, direction, state, gross, fee, balance_after, reference,
    plain_reference, our_reference, payer, paid_at, is_day_only, seen_in, is_trusted, anomaly)
  select distinct on (g.key) ${accountId}::int, g.key, g.direction, g.state, g.gross, g.fee, g."balanceAfter", g.reference,
    g."plainReference", g."ourReference", g.payer, g."paidAt", g."isDayOnly", ${bit}::int, g."isTrusted",
    case when min(g.gross) over same < max(g.gross) over same
      then ${twoAmounts(sql`min(g.gross) over same`, sql`max(g.gross) over same`)}
    when ${bit}::int & ${exact} > 0 and max(g."paidAt") filter (where not g."isDayOnly") over same
      > min(g."paidAt") filter (where not g."isDayOnly") over same + ${near} then ${twoTimes} end
  from ${given(lines)} window same as (partition by g.key, g.state) order by g.key, array_position(${order}, g.state) desc
  on conflict (account_id, line_key) do update set
    seen_in = l.seen_in | excluded.seen_in,
    state = case when ${isLater} then excluded.state else l.state end,
    fee = coalesce(l.fee, excluded.fee),
    balance_after = coalesce(l.balance_after, excluded.balance_after),
    reference = coalesce(l.reference, excluded.reference),
    our_reference = coalesce(l.our_reference, excluded.our_reference),
    payer = case when l.payer is null or (l.payer not like '+%' and excluded.payer like '+%') then excluded.payer else l.payer end,
    paid_at = case when ${isBetterTime} then excluded.paid_at else l.paid_at end,
    is_day_only = l.is_day_only and excluded.is_day_only,
    is_trusted = l.is_trusted or excluded.is_trusted,
    anomaly = coalesce(l.anomaly, excluded.anomaly, ${differs}),
    updated_at = now()
  where l.seen_in & excluded.seen_in = 0 or ${isLater} or (l.anomaly is null and coalesce(excluded.anomaly, ${differs}) is not null)
  returning id, xmax = 0 as "isNew"`;

/** Payments of these references that the operator took back, whichever came first; of another amount it took back a part. */
const reverse = (accountId: number, references: string[]) => sql`
  update payment_lines l set state = case when r.gross = l.gross then 'reversed' else l.state end, updated_at = now(),
    anomaly = case when r.gross = l.gross then 'L''opérateur a repris ce paiement.'
      else 'L''opérateur a repris ' || r.gross || ' FCFA de ce paiement.' end
  from payment_lines r
  where r.account_id = ${accountId} and r.direction = 'reversal' and r.state <> 'failed' and r.plain_reference = any(${sql.param(references)}::text[])
    and l.account_id = ${accountId} and l.plain_reference = r.plain_reference and l.direction = 'in' and l.state <> 'reversed'`;

export interface Recorded {
  created: number;
  /** Known lines that gained something. */
  completed: number;
  unchanged: number;
}

/**
 * Writes what an input tells of an account, in the caller's transaction: the same told twice, or by two inputs, is one
 * line. Throws PAYMENT_ACCOUNT_NOT_FOUND.
 */
export async function recordLines(
  tx: Db,
  accountId: number,
  input: PaymentInput,
  lines: readonly KeyedLine[],
): Promise<Recorded> {
  await lockAccount(tx, accountId);
  const account = { accountId, bit: bitOf(input) };
  // Without any line that has no operator's id, and none among the told ones, there is nothing to adopt.
  const { hasNameless } = await requireRow<{ hasNameless: boolean }>(
    tx,
    sql`select exists (select from payment_lines where account_id = ${accountId} and plain_reference is null) as "hasNameless"`,
  );
  const isMixed = hasNameless || lines.some(({ plainReference }) => plainReference === null);
  const keyed = isMixed ? await adoptNear(tx, account, lines) : lines;
  const touched = await rows<{ id: number; isNew: boolean }>(tx, write(account, keyed));
  const references = [...new Set(keyed.flatMap(({ plainReference }) => plainReference ?? []))];
  await tx.execute(reverse(accountId, references));
  const created = touched.filter(({ isNew }) => isNew).length;
  const completed = touched.length - created;
  return { created, completed, unchanged: lines.length - touched.length };
}
