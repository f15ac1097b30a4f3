import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { Failure } from '#contract/failure.ts';
import { type listPayments, type Payment, type PaymentFilter, proposalsAtOnce } from '#contract/payments.ts';
import { plain } from '#contract/spelling.ts';
import type { Db } from '#server/database/connect.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { countUpToCap, requireRow, rows } from '#server/database/rows.ts';
import { confirmedOfShape } from '#server/features/payments/intake/shapes.ts';
import { paymentLines } from '#server/features/payments/intake/tables.ts';
import { matchLimits } from './limits.ts';
import type { OpenLine, OpenTicket, Pair } from './matching.ts';
import { paymentMatches } from './tables.ts';

/** A line as answered, with its time as a date and its inputs as bits. */
export type LineRow = Omit<Payment, 'paidAt' | 'inputs'> & { paidAt: Date; seenIn: number };

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;
const inTime = sql`t.created_at between l.paid_at - ${seconds(matchLimits.payerAfterMs)} and l.paid_at + ${seconds(matchLimits.payerBeforeMs)}`;
const isSameReference = sql`t.plain_reference = l.plain_reference`;
/** The verified number of a ticket's person; a guest has none. */
const isVerified = sql`u.is_verified and not u.is_guest`;

/** The last rejected ticket that a line may have been for, by number, reference, or person and total. */
const rejectedTicket = sql`(
  select max(rejected.id) from (
    select t.id from tickets t where t.id = l.our_reference and t.status = 'rejected'
    union all select t.id from tickets t where ${isSameReference} and t.status = 'rejected'
    union all select t.id from users u join tickets t on t.user_id = u.id where u.phone = l.payer and ${isVerified}
      and t.total_price = l.gross::text and ${inTime} and t.status = 'rejected') rejected)`;

/** A line with the ticket that it pays. */
export const lineSelect = sql`
  select l.id, l.account_id as "accountId", l.direction, l.state, l.gross, l.fee::float8 as fee,
         l.balance_after::float8 as "balanceAfter", l.reference, l.our_reference as "ourReference", l.payer,
         l.paid_at as "paidAt", l.seen_in as "seenIn", l.is_ignored as "isIgnored", l.anomaly,
         m.ticket_id as "ticketId", m.rule,
         case when m.id is null and l.direction = 'in' then ${rejectedTicket} end as "rejectedTicketId"
  from payment_lines l left join payment_matches m on m.line_id = l.id and m.undone_at is null`;

const setOf = (ids: Iterable<number>) => sql`${sql.param([...ids])}::int[]`;

/** Lines by their ids. */
export async function findLines(db: Db, ids: Iterable<number>): Promise<ReadonlyMap<number, LineRow>> {
  const lines = await rows<LineRow>(db, sql`${lineSelect} where l.id = any(${setOf(ids)})`, 'prepared');
  return new Map(lines.map((row) => [row.id, row]));
}

/** The condition of the open lines' index. */
const isUnpaired = sql`l.direction = 'in' and l.state in ('announced', 'settled') and not l.is_ignored and not l.is_matched`;

type PageAsked = z.output<(typeof listPayments)['query']>;
type LineSearch = Omit<PageAsked, 'limit' | 'cursor'>;

function conditionsOf({ state, account, from, to, q }: LineSearch): SQL {
  const typed = plain(q ?? '');
  const digits = typed.replace(/\D/g, '').replace(/^00(?=22)/, '');
  const states: Partial<Record<PaymentFilter, SQL>> = {
    open: isUnpaired,
    matched: sql`l.is_matched`,
    ignored: sql`l.is_ignored`,
  };
  const conditions = [
    // An SMS about outgoing money is only part of the day's closing.
    sql`not (l.direction = 'out' and l.state = 'announced')`,
    state && (states[state] ?? sql`l.state = ${state}`),
    account && sql`l.account_id = ${account}`,
    from && sql`l.paid_at >= ${from}::timestamptz`,
    to && sql`l.paid_at <= ${to}::timestamptz`,
    typed.trim() &&
      sql`(l.plain_reference = ${plainReference(typed)} or (${digits} ~ '^[0-9]{4,15}$' and l.payer like ${`%${digits}`})
        or (${digits} ~ '^[0-9]{1,8}$' and l.gross = ${digits.slice(0, 8) || '0'}::int))`,
  ].filter((each): each is SQL => typeof each === 'object');
  return sql.join(conditions, sql` and `);
}

/** A page of lines, the last paid first, after the line `cursor`, with their number up to a bound. */
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

const ownPhone = sql`case when ${isVerified} then u.phone end`;
/** With `offset 0` PostgreSQL looks each ticket up; without it, it would read all matches. */
const isFree = sql`t.status = 'pending' and not exists (
  select from payment_matches m where m.ticket_id = t.id and m.undone_at is null offset 0)`;
/** A limit written into the text: PostgreSQL plans a parameter's for a tenth of the rows. */
const atMost = (count: number) => sql.raw(`limit ${count}`);
/** `offset 0`, or all pending tickets are hashed for an `exists` with it. */
const some = sql`${atMost(matchLimits.rivals)} offset 0`;

/** Whether another account has a line of the same id: a statement may be in the wrong account. */
const isTwin = sql`exists (
  select from payment_lines twin where twin.plain_reference = l.plain_reference and twin.account_id <> l.account_id and twin.direction = 'in')`;
/** Whether the line `o` is another one of the same number and amount, at about the time of `l`. */
const isAlike = sql`o.payer = l.payer and o.gross = l.gross and o.id <> l.id
  and o.paid_at between l.paid_at - ${seconds(matchLimits.payerAfterMs)} and l.paid_at + ${seconds(matchLimits.payerAfterMs)}`;
const walletOf = sql`coalesce(a.payment_type_id, a.former_payment_type_id)`;
const payerId = sql`(select u.id from users u where u.phone = l.payer and ${isVerified})`;

/** People of other tickets that a line like `l` pays or is declared for, or who declared the reference of `l` before. */
const claimants = sql`array(
  select t.user_id from payment_lines o join payment_matches m on m.line_id = o.id and m.undone_at is null join tickets t on t.id = m.ticket_id
  where ${isAlike}
  union select t.user_id from payment_lines o join tickets t on t.plain_reference = o.plain_reference where ${isAlike}
  union select t.user_id from tickets t where ${isSameReference} and t.status <> 'pending')`;

/** Lines that may pay a ticket, with their compared facts. */
const openSelect = sql`
  select l.id, l.account_id as "accountId", a.country, ${walletOf} as "paymentTypeId", coalesce(p.name, a.label) as wallet,
         l.gross, l.balance_after::float8 as "balanceAfter", l.plain_reference as "plainReference",
         l.our_reference as "ourReference", l.payer, ${payerId} as "payerId",
         case when l.payer like '+%' and ${payerId} is null then ${claimants} else '{}' end as claimants, l.paid_at as "paidAt",
         l.paid_at > now() - ${seconds(matchLimits.payerBeforeMs)} as "isFresh", l.state = 'settled' as "isSettled",
         l.is_trusted as "senderMay", ${confirmedOfShape} as "shapeConfirmed", l.anomaly is not null or ${isTwin} as "isOdd"
  from payment_lines l join payment_accounts a on a.id = l.account_id left join payment_types p on p.id = a.payment_type_id`;

const newest = (count: number) =>
  sql`select * from payment_lines l where ${isUnpaired} order by l.paid_at desc, l.id desc ${atMost(count)}`;
const newestFirst = sql`order by l.paid_at desc, l.id desc`;

/**
 * Pending tickets that a line may pay, by each kind of evidence with its index. Without `offset 0` PostgreSQL would hash all pending
 * tickets.
 */
const evidence = [
  sql`(select t.id from tickets t where t.id = l.our_reference and ${isFree} offset 0)`,
  sql`(select t.id from tickets t where ${isSameReference} and ${isFree} ${some})`,
  sql`(select t.id from tickets t where t.payer_phone = l.payer and t.total_price = l.gross::text and ${inTime} and ${isFree} ${some})`,
  sql`(select t.id from users u join tickets t on t.user_id = u.id where u.phone = l.payer and ${isVerified}
    and t.total_price = l.gross::text and ${inTime} and ${isFree} ${some})`,
];

/** The newest open lines. */
export const listNewestOpen = (db: Db): Promise<OpenLine[]> =>
  rows(
    db,
    sql`${openSelect} where l.id in (select id from (${newest(matchLimits.lines)}) l) ${newestFirst}`,
    'prepared',
  );

/** The next open lines with evidence, the newest first: `count` of them, after the line `after`. */
export function listSpokenFor(db: Db, count: number, after?: number): Promise<OpenLine[]> {
  const isNext = after
    ? sql`(l.paid_at, l.id) < (select paid_at, id from payment_lines where id = ${after})`
    : sql`true`;
  const isSpokenFor = sql.join(
    evidence.map((each) => sql`exists ${each}`),
    sql` or `,
  );
  return rows(
    db,
    sql`${openSelect} where l.id in (
      select l.id from (${newest(matchLimits.searched)}) l where ${isNext} and (${isSpokenFor}) ${newestFirst} ${atMost(count)})
      ${newestFirst}`,
    'prepared',
  );
}

export const findOpenLines = (db: Db, ids: Iterable<number>): Promise<OpenLine[]> =>
  rows(db, sql`${openSelect} where ${isUnpaired} and l.id = any(${setOf(ids)})`, 'prepared');

/** The same condition for a ticket's lines, in a form that uses their index by time. */
const isPaidInTime = sql`l.paid_at between t.created_at - ${seconds(matchLimits.payerBeforeMs)} and t.created_at + ${seconds(matchLimits.payerAfterMs)}`;

const pairsBy = (findingBy: (ids: SQL) => SQL) => (db: Db, ids: Iterable<number>) =>
  rows<Pair>(db, findingBy(setOf(ids)), 'prepared');
const ofLines = (ids: SQL) =>
  sql`with l as (
    select l.*, a.country, ${walletOf} as wallet from payment_lines l join payment_accounts a on a.id = l.account_id where l.id = any(${ids}))`;

/** Tickets that each of these lines may pay, by every kind of evidence. */
export const findCandidates = pairsBy(
  (ids) => sql`
  ${ofLines(ids)} select l.id as "lineId", found.id as "ticketId"
  from l cross join lateral (${sql.join(evidence, sql` union `)}) found`,
);

/** Tickets with a line's amount and time, and with its wallet and country if these are known; `and` is a further condition. */
const equal = (and: SQL) => sql`
  from tickets t left join users u on u.id = t.user_id
  where t.total_price = l.gross::text and ${inTime} and ${isFree} and ${and}
    and (l.wallet is null or t.payment_type_id is null or t.payment_type_id = l.wallet)
    and (left(${ownPhone}, 4) = l.country or ${ownPhone} is null)`;

/** Tickets of the same amount, filed nearest in time to each of these lines. */
export const findNearest = pairsBy(
  (ids) => sql`
  ${ofLines(ids)} select l.id as "lineId", found.id as "ticketId" from l cross join lateral (
    (select t.id ${equal(sql`t.created_at <= l.paid_at`)} order by t.created_at desc ${atMost(matchLimits.nearest)})
    union all
    (select t.id ${equal(sql`t.created_at > l.paid_at`)} order by t.created_at ${atMost(matchLimits.nearest)})
  ) found`,
);

/**
 * For lines from an unknown number whose reference a ticket claims: other tickets with that declared number. Also tickets of an equal
 * amount whose reference, maybe mistyped, does not exclude the line.
 */
export const findOthersClaims = pairsBy(
  (ids) => sql`
  ${ofLines(ids)} select l.id as "lineId", found.id as "ticketId" from l cross join lateral (
    (select t.id from tickets t where t.payer_phone = l.payer and ${isFree} ${some})
    union
    (select t.id ${equal(sql`(t.plain_reference is null
      or left(t.plain_reference, length(l.plain_reference) / 2) = left(l.plain_reference, length(l.plain_reference) / 2)
      or right(t.plain_reference, length(l.plain_reference) / 2) = right(l.plain_reference, length(l.plain_reference) / 2))`)} ${some})
  ) found
  where l.payer like '+%' and ${payerId} is null and exists (select from tickets t where ${isSameReference} and ${isFree})`,
);

export const findOpenTickets = (db: Db, ids: Iterable<number>): Promise<OpenTicket[]> =>
  rows(
    db,
    sql`
    select t.id, t.total_price::int as total, t.plain_reference as "plainReference", t.created_at as "createdAt",
           t.payment_declared_at as "declaredAt", t.user_id as "userId", ${ownPhone} as verified, t.payer_phone as said,
           t.payment_type_id as "paymentTypeId", t.payment_type_name as "paymentTypeName"
    from tickets t left join users u on u.id = t.user_id where ${isFree} and t.id = any(${setOf(ids)})`,
    'prepared',
  );

/** Other open lines that may pay these tickets, by ticket number, reference, or payer and amount. */
export const findRivals = pairsBy(
  (ids) => sql`
  with t as (
    select t.*, u.phone as own from tickets t
    left join users u on u.id = t.user_id and ${isVerified} where t.id = any(${ids}))
  select t.id as "ticketId", found.id as "lineId" from t cross join lateral (
    (select l.id from payment_lines l where l.our_reference = t.id and ${isUnpaired} ${some})
    union (select l.id from payment_lines l where l.plain_reference = t.plain_reference and ${isUnpaired} ${some})
    union (select l.id from payment_lines l where l.payer in (t.payer_phone, t.own) and l.gross = t.total_price::int
      and ${isPaidInTime} and ${isUnpaired} ${some})
  ) found`,
);

const unpaid = sql`
  select t.id from tickets t where t.payment_declared_at < now() - interval '15 minutes' and ${isFree}
    and not exists (select from payment_lines l where ${isUnpaired} and l.plain_reference = t.plain_reference)
  order by t.payment_declared_at ${atMost(proposalsAtOnce)}`;

/** Pending tickets declared paid a while ago, without an open line of their reference; the oldest declaration first. */
export async function listUnpaid(db: Db): Promise<number[]> {
  return (await rows<{ id: number }>(db, unpaid, 'prepared')).map(({ id }) => id);
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

/** Pairs a line with a ticket; the doubts are stored with the evidence. */
export async function insertMatch(
  tx: Db,
  { doubts, ...match }: typeof paymentMatches.$inferInsert & { doubts: readonly string[] },
): Promise<void> {
  await tx.insert(paymentMatches).values({ ...match, evidence: [...match.evidence, ...doubts] });
}

/** Unpairs a line; answers its ticket. Throws PAYMENT_FREE. */
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

/** The line that pays a ticket, with its rule and evidence; undefined without one. */
export async function findMatch(db: Db, ticketId: number) {
  const { lineId, rule, evidence, undoneAt } = paymentMatches;
  const [row] = await db
    .select({ lineId, rule, evidence })
    .from(paymentMatches)
    .where(and(eq(paymentMatches.ticketId, ticketId), isNull(undoneAt)));
  return row;
}

/** Records a reminder to a ticket's person; false if they had one within a day, or the ticket is decided. */
export async function noteReminder(tx: Db, ticketId: number): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update tickets set payer_reminded_at = now() where id = ${ticketId} and status = 'pending'
      and (payer_reminded_at is null or payer_reminded_at < now() - interval '1 day')`);
  return rowCount === 1;
}

/** The messages that a person must read, up to 1,000, and when the first of them came. */
export async function readUnread(db: Db): Promise<{ unread: number; oldest: Date | null }> {
  return requireRow(
    db,
    sql`
      select count(*)::int as unread, min(received_at) as oldest from (
        select received_at from payment_messages where state in ('unread', 'refused') order by id limit 1000) waiting`,
    'prepared',
  );
}
