import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { Failure } from '#contract/failure.ts';
import { type listPayments, type Payment, type PaymentFilter, proposalsAtOnce } from '#contract/payments.ts';
import { plain } from '#contract/spelling.ts';
import type { Db } from '#server/database/connect.ts';
import { countUpToCap, requireRow, rows } from '#server/database/rows.ts';
import { followsFromBefore } from '#server/features/payment-feed/lines.ts';
import { paymentLines, paymentMatches } from '#server/features/payment-feed/tables.ts';
import { matchLimits } from '#server/process/payment-limits.ts';
import type { OpenLine, OpenTicket, Pair } from './matching.ts';
import { paymentClosings } from './tables.ts';

/** A line as it is answered, but for its time and where it was told of. */
export type LineRow = Omit<Payment, 'paidAt' | 'inputs'> & { paidAt: Date; seenIn: number };

/** A line with the ticket that it pays. */
const lineSelect = sql`
  select l.id, l.account_id as "accountId", l.direction, l.state, l.gross, l.fee::float8 as fee,
         l.balance_after::float8 as "balanceAfter", l.reference, l.our_reference as "ourReference", l.payer,
         l.paid_at as "paidAt", l.seen_in as "seenIn", l.is_ignored as "isIgnored", l.anomaly,
         m.ticket_id as "ticketId", m.rule
  from payment_lines l left join payment_matches m on m.line_id = l.id and m.undone_at is null`;

const setOf = (ids: Iterable<number>) => sql`${sql.param([...ids])}::int[]`;

/** Lines by their ids. */
export async function findLines(db: Db, ids: Iterable<number>): Promise<ReadonlyMap<number, LineRow>> {
  const lines = await rows<LineRow>(db, sql`${lineSelect} where l.id = any(${setOf(ids)})`);
  return new Map(lines.map((row) => [row.id, row]));
}

/** As the index of the open lines has it. */
const isUnpaired = sql`l.direction = 'in' and l.state in ('announced', 'settled') and not l.is_ignored and not l.is_matched`;

type PageAsked = z.output<(typeof listPayments)['query']>;
type LineSearch = Omit<PageAsked, 'limit' | 'cursor'>;

function conditionsOf({ state, account, from, to, q }: LineSearch): SQL {
  const typed = plain(q ?? '');
  const digits = typed.replace(/\D/g, '').replace(/^00(?=22)/, '');
  const reference = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const states: Partial<Record<PaymentFilter, SQL>> = {
    open: isUnpaired,
    matched: sql`l.is_matched`,
    ignored: sql`l.is_ignored`,
  };
  const conditions = [
    // An SMS of money that went out is no payment: it stands in the day's closing alone.
    sql`not (l.direction = 'out' and l.state = 'announced')`,
    state && (states[state] ?? sql`l.state = ${state}`),
    account && sql`l.account_id = ${account}`,
    from && sql`l.paid_at >= ${from}::timestamptz`,
    to && sql`l.paid_at <= ${to}::timestamptz`,
    typed.trim() &&
      sql`(l.plain_reference = ${reference} or (${digits} ~ '^[0-9]{4,15}$' and l.payer like ${`%${digits}`})
        or (${digits} ~ '^[0-9]{1,8}$' and l.gross = ${digits.slice(0, 8) || '0'}::int))`,
  ].filter((each): each is SQL => typeof each === 'object');
  return sql.join(conditions, sql` and `);
}

/** A page of lines, the last paid first, after the line `cursor`, and how many there are up to a bound. */
export async function listLines(db: Db, search: LineSearch, { limit, cursor }: Pick<PageAsked, 'limit' | 'cursor'>) {
  const where = conditionsOf(search);
  const after = cursor
    ? sql`and (l.paid_at, l.id) < (select paid_at, id from payment_lines where id = ${cursor})`
    : sql``;
  const page = await rows<LineRow>(
    db,
    sql`${lineSelect} where ${where} ${after} order by l.paid_at desc, l.id desc limit ${limit}`,
  );
  return { rows: page, count: await countUpToCap(db, sql`select l.id from payment_lines l where ${where}`) };
}

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;
const inTime = sql`t.created_at between l.paid_at - ${seconds(matchLimits.payerAfterMs)} and l.paid_at + ${seconds(matchLimits.payerBeforeMs)}`;
/** Between two lines that one ticket is in time for. */
const apartAtMost = seconds(matchLimits.payerAfterMs + matchLimits.payerBeforeMs);
const isSameReference = sql`t.payment_reference is not null and translate(t.payment_reference, './-_', '') = l.plain_reference`;
/** The number of a ticket's person, where it is verified: a guest has none. */
const ownPhone = sql`case when u.is_verified and not u.is_guest then u.phone end`;
const isFree = sql`t.status = 'pending' and not exists (
  select from payment_matches m where m.ticket_id = t.id and m.undone_at is null)`;

/** Whether the balance that an SMS tells follows from the line before. */
const isChained = sql`l.balance_after is not null and exists (
  select from payment_lines before where ${followsFromBefore}
    and before.paid_at between l.paid_at - interval '7 days' and l.paid_at + interval '10 minutes')`;

/** Whether another account has a payment of the same id: a statement may have been imported into the wrong one. */
const isTwin = sql`exists (
  select from payment_lines twin where twin.plain_reference = l.plain_reference and twin.account_id <> l.account_id and twin.direction = 'in')`;

/** Lines that may pay a ticket, as they are compared; a balance that follows from another one is looked up. */
const openSelect = sql`
  select l.id, l.account_id as "accountId", a.country, l.gross, l.plain_reference as "plainReference",
         l.our_reference as "ourReference", l.payer, l.paid_at as "paidAt", l.state = 'settled' as "isSettled",
         l.is_trusted and ${isChained} as "isTrusted", l.anomaly is not null or ${isTwin} as "isOdd"
  from payment_lines l join payment_accounts a on a.id = l.account_id`;

const newest = (count: number) =>
  sql`select * from payment_lines l where ${isUnpaired} order by l.paid_at desc, l.id desc limit ${count}`;
/** Waiting tickets of a line's payer, by the number that they tell and by their person's own, of its amount and time. */
const ofPayer = (and: SQL) => [
  sql`(select t.id from tickets t where t.payer_phone = l.payer and t.total_price = l.gross::text and ${inTime} and ${isFree} ${and}
    limit ${matchLimits.rivals})`,
  sql`(select t.id from users u join tickets t on t.user_id = u.id where u.phone = l.payer
    and t.total_price = l.gross::text and ${inTime} and ${isFree} ${and} limit ${matchLimits.rivals})`,
];
/** Waiting tickets that a line may pay, by each kind of evidence from its index: without `offset 0` all that wait are hashed for it. */
const evidence = [
  sql`(select t.id from tickets t where t.id = l.our_reference and ${isFree} offset 0)`,
  sql`(select t.id from tickets t where ${isSameReference} and ${isFree} limit ${matchLimits.rivals})`,
  ...ofPayer(sql``),
];
const withoutReference = sql`and (t.payment_reference is null or l.plain_reference is null)`;
/** Open lines of a line's payer and amount, with itself, that one of its tickets is as good for, and whose evidence is not another one. */
const equalLines = sql`
  select l.id from payment_lines l where l.payer = other.payer and l.gross = other.gross and ${isUnpaired}
    and l.our_reference is null and l.anomaly is null
    and l.paid_at between other.paid_at - ${apartAtMost} and other.paid_at + ${apartAtMost}
    and exists (select from tickets t where t.id = any(mine.ids) and ${inTime} ${withoutReference})
    and not exists (select from tickets t where ${isSameReference} and ${isFree}) limit ${matchLimits.rivals}`;

const newestOpen = sql`
  with newest as (
    select l.id from payment_lines l where ${isUnpaired} and l.anomaly is null
    order by l.paid_at desc, l.id desc limit ${matchLimits.lines}
  ), proven as (
    select l.id from (${newest(matchLimits.searched)}) l where ${sql.join(
      evidence.map((each) => sql`exists ${each}`),
      sql` or `,
    )}
    limit ${matchLimits.lines}
  ), ticked as (
    select l.id from (${newest(matchLimits.searchedToTick)}) l where l.anomaly is null and (
      l.state = 'settled' and l.payer is not null and (
        select cardinality(ids) = (select count(*) from (select l.*) other cross join lateral (${equalLines}) l)
        from (select array_agg(t.id) as ids from (${sql.join(ofPayer(withoutReference), sql` union `)}) t) mine
        where ids is not null)
      or (exists (select from tickets t where t.id = l.our_reference and t.total_price = l.gross::text and ${isFree} offset 0)
        or (select count(*) = 1 and bool_and(t.total_price = l.gross::text
              and (t.phones = '{}' or l.payer is null or l.payer not like '+%' or l.payer = any(t.phones)))
            from (select t.total_price, array_remove(array[t.payer_phone, ${ownPhone}], null) as phones
              from tickets t left join users u on u.id = t.user_id where ${isSameReference} and ${isFree} limit 2) t))
        and (l.state = 'settled' or l.is_trusted and ${isChained})
    ) limit ${proposalsAtOnce}
  )
  ${openSelect} where l.id in (select id from newest union select id from proven union select id from ticked)
  order by l.paid_at desc, l.id desc`;

/**
 * The newest open lines, the newest that a ticket, a reference or a payer speaks for, and the newest whose evidence may suffice
 * to be ticked: what is doubtful hides no sure one, however much of it waits.
 */
export const listNewestOpen = (db: Db): Promise<OpenLine[]> => rows(db, newestOpen);

export const findOpenLines = (db: Db, ids: Iterable<number>): Promise<OpenLine[]> =>
  rows(db, sql`${openSelect} where ${isUnpaired} and l.id = any(${setOf(ids)})`);

const ticketSelect = sql`
  select t.id, t.total_price::int as total, translate(t.payment_reference, './-_', '') as "plainReference",
         t.created_at as "createdAt", t.payment_declared_at as "declaredAt",
         array_remove(array[t.payer_phone, ${ownPhone}], null) as payers
  from tickets t left join users u on u.id = t.user_id`;
/** The same of a ticket's lines, in a form that an index of their time serves. */
const isPaidInTime = sql`l.paid_at between t.created_at - ${seconds(matchLimits.payerBeforeMs)} and t.created_at + ${seconds(matchLimits.payerAfterMs)}`;
const some = sql`limit ${matchLimits.rivals}`;

const pairsBy = (findingBy: (ids: SQL) => SQL) => (db: Db, ids: Iterable<number>) =>
  rows<Pair>(db, findingBy(setOf(ids)));
const ofLines = (ids: SQL) => sql`with l as (select * from payment_lines where id = any(${ids}))`;

/** Tickets that each of these lines may pay, by each kind of evidence from its index. */
export const findCandidates = pairsBy(
  (ids) => sql`
  ${ofLines(ids)} select l.id as "lineId", found.id as "ticketId"
  from l cross join lateral (${sql.join(evidence, sql` union `)}) found`,
);

/** Tickets of the same amount that were filed nearest to each of these lines. */
export const findNearest = pairsBy(
  (ids) => sql`
  ${ofLines(ids)} select l.id as "lineId", found.id as "ticketId" from l cross join lateral (
    (select t.id from tickets t where t.total_price = l.gross::text and t.created_at <= l.paid_at
      and ${inTime} and ${isFree} order by t.created_at desc limit ${matchLimits.nearest})
    union all
    (select t.id from tickets t where t.total_price = l.gross::text and t.created_at > l.paid_at
      and ${inTime} and ${isFree} order by t.created_at limit ${matchLimits.nearest})
  ) found`,
);

export const findOpenTickets = (db: Db, ids: Iterable<number>): Promise<OpenTicket[]> =>
  rows(db, sql`${ticketSelect} where ${isFree} and t.id = any(${setOf(ids)})`);

/** Other open lines that these tickets may be paid by, by number, reference, or payer and amount. */
export const findRivals = pairsBy(
  (ids) => sql`
  with t as (
    select t.*, u.phone as own from tickets t
    left join users u on u.id = t.user_id and u.is_verified and not u.is_guest where t.id = any(${ids}))
  select t.id as "ticketId", found.id as "lineId" from t cross join lateral (
    (select l.id from payment_lines l where l.our_reference = t.id and ${isUnpaired} ${some})
    union (select l.id from payment_lines l where l.plain_reference = translate(t.payment_reference, './-_', '')
      and l.plain_reference is not null and ${isUnpaired} ${some})
    union (select l.id from payment_lines l where l.payer in (t.payer_phone, t.own) and l.gross = t.total_price::int
      and ${isPaidInTime} and ${isUnpaired} ${some})
  ) found`,
);

const unpaid = sql`
  select t.id from tickets t where t.payment_declared_at < now() - interval '15 minutes' and ${isFree}
    and not exists (select from payment_lines l where ${isUnpaired}
      and l.plain_reference = translate(t.payment_reference, './-_', ''))
  order by t.payment_declared_at limit ${proposalsAtOnce}`;

/** Pending tickets that were declared paid a while ago, and no open line has their reference; the oldest declaration first. */
export async function listUnpaid(db: Db): Promise<number[]> {
  return (await rows<{ id: number }>(db, unpaid)).map(({ id }) => id);
}

/** Throws PAYMENT_NOT_FOUND. */
export async function requireLine(db: Db, id: number): Promise<LineRow> {
  const line = (await findLines(db, [id])).get(id);
  if (!line) throw new Failure('PAYMENT_NOT_FOUND');
  return line;
}

/** Locks a line until the transaction ends. Throws PAYMENT_NOT_FOUND. */
export async function lockLine(tx: Db, id: number): Promise<LineRow> {
  await tx.execute(sql`select from payment_lines where id = ${id} for update`);
  return requireLine(tx, id);
}

export async function insertMatch(tx: Db, match: typeof paymentMatches.$inferInsert): Promise<void> {
  await tx.insert(paymentMatches).values(match);
}

/** Takes a line from its ticket; answers the ticket. Throws PAYMENT_FREE. */
export async function undoMatch(tx: Db, lineId: number, by: number): Promise<number> {
  const [undone] = await tx
    .update(paymentMatches)
    .set({ undoneAt: sql`now()`, undoneBy: by })
    .where(and(eq(paymentMatches.lineId, lineId), isNull(paymentMatches.undoneAt)))
    .returning({ ticketId: paymentMatches.ticketId });
  if (!undone) throw new Failure('PAYMENT_FREE');
  return undone.ticketId;
}

export async function setIgnored(tx: Db, id: number, ignored: boolean): Promise<void> {
  await tx.update(paymentLines).set({ isIgnored: ignored, updatedAt: sql`now()` }).where(eq(paymentLines.id, id));
}

/** The line that pays a ticket, with why; undefined without one. */
export async function findMatch(db: Db, ticketId: number) {
  const { lineId, rule, evidence, undoneAt } = paymentMatches;
  const [row] = await db
    .select({ lineId, rule, evidence })
    .from(paymentMatches)
    .where(and(eq(paymentMatches.ticketId, ticketId), isNull(undoneAt)));
  return row;
}

/** Notes that the person of a ticket is reminded; false where they were within a day, or it is decided. */
export async function noteReminder(tx: Db, ticketId: number): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update tickets set payer_reminded_at = now() where id = ${ticketId} and status = 'pending'
      and (payer_reminded_at is null or payer_reminded_at < now() - interval '1 day')`);
  return rowCount === 1;
}

export async function countUnread(db: Db): Promise<number> {
  const { unread } = await requireRow<{ unread: number }>(
    db,
    sql`
      select count(*)::int as unread from (
        select from payment_messages where state in ('unread', 'refused') limit 1000) waiting`,
  );
  return unread;
}

/** Lines of an account in a time, money that went out included, in their order, and how many there are. */
export async function listLinesOfDay(
  db: Db,
  { accountId, from, to, limit }: { accountId: number; from: Date; to: Date; limit: number },
): Promise<{ rows: LineRow[]; count: number }> {
  const where = sql`l.account_id = ${accountId} and l.state <> 'failed' and l.paid_at >= ${from} and l.paid_at < ${to}`;
  const [found, { count }] = await Promise.all([
    rows<LineRow>(db, sql`${lineSelect} where ${where} order by l.paid_at, l.id limit ${limit}`),
    requireRow<{ count: number }>(db, sql`select count(*)::int as count from payment_lines l where ${where}`),
  ]);
  return { rows: found, count };
}

/** Keeps the signature of a day, beside earlier ones. */
export async function insertClosing(tx: Db, closing: typeof paymentClosings.$inferInsert): Promise<void> {
  await tx.insert(paymentClosings).values(closing);
}
