import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import {
  type LineState,
  lineStates,
  type MatchRule,
  matchRules,
  type PaymentDirection,
  type PaymentFilter,
  paymentDirections,
  proposalsAtOnce,
} from '#contract/payments.ts';
import { plain } from '#contract/spelling.ts';
import type { Db } from '#server/database/connect.ts';
import { countUpToCap } from '#server/database/counted-page.ts';
import { bool, float, instant, int, nullable, oneOf, text, texts } from '#server/database/row-kinds.ts';
import { none, query, type RowOf, statement } from '#server/database/statement.ts';
import { paymentMatches } from '#server/features/payment-feed/tables.ts';
import { matchLimits } from '#server/process/payment-limits.ts';
import type { OpenLine, OpenTicket } from './judge.ts';

const lineColumns = {
  id: int,
  accountId: int,
  direction: oneOf<PaymentDirection>(...paymentDirections),
  state: oneOf<LineState>(...lineStates),
  gross: int,
  fee: nullable(float),
  balanceAfter: nullable(float),
  reference: nullable(text),
  ourReference: nullable(int),
  payer: nullable(text),
  paidAt: instant,
  seenIn: int,
  isIgnored: bool,
  anomaly: nullable(text),
  ticketId: nullable(int),
  rule: nullable(oneOf<MatchRule>(...matchRules)),
};

/** A line with the ticket that it pays. */
const lineSelect = `
  select l.id, l.account_id as "accountId", l.direction, l.state, l.gross, l.fee::float8 as fee,
         l.balance_after::float8 as "balanceAfter", l.reference, l.our_reference as "ourReference", l.payer,
         l.paid_at as "paidAt", l.seen_in as "seenIn", l.is_ignored as "isIgnored", l.anomaly,
         m.ticket_id as "ticketId", m.rule
  from payment_lines l left join payment_matches m on m.line_id = l.id and m.undone_at is null`;

const readLines = statement(lineColumns)<[ids: string]>(`${lineSelect} where l.id = any($1::int[])`);
export type LineRow = RowOf<typeof readLines>;

const setOf = (ids: Iterable<number>) => `{${[...ids].join(',')}}`;

/** Lines by their ids. */
export async function findLines(db: Db, ids: Iterable<number>): Promise<ReadonlyMap<number, LineRow>> {
  const [rows] = await db.ask(readLines(setOf(ids)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** As the index of the open lines has it. */
const isUnpaired = `l.direction = 'in' and l.state in ('announced', 'settled') and not l.is_ignored and not l.is_matched`;

interface LineSearch {
  state?: PaymentFilter | undefined;
  account?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

function conditionsOf({ state, account, from, to, q }: LineSearch): SQL {
  const typed = plain(q ?? '');
  const digits = typed.replace(/\D/g, '').replace(/^00(?=22)/, '');
  const reference = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const states: Partial<Record<PaymentFilter, SQL>> = {
    open: sql.raw(isUnpaired),
    matched: sql`l.is_matched`,
    ignored: sql`l.is_ignored`,
  };
  const conditions = [
    state && (states[state] ?? sql`l.state = ${state}`),
    account && sql`l.account_id = ${account}`,
    from && sql`l.paid_at >= ${from}::timestamptz`,
    to && sql`l.paid_at <= ${to}::timestamptz`,
    typed.trim() &&
      sql`(l.plain_reference = ${reference} or (${digits} ~ '^[0-9]{4,15}$' and l.payer like ${`%${digits}`})
        or (${digits} ~ '^[0-9]{1,8}$' and l.gross = ${digits.slice(0, 8) || '0'}::int))`,
  ].filter((each): each is SQL => typeof each === 'object');
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

/** A page of lines, the last paid first, after the line `cursor`, and how many there are up to a bound. */
export async function listLines(
  db: Db,
  search: LineSearch,
  { limit, cursor }: { limit: number; cursor?: number | undefined },
) {
  const where = conditionsOf(search);
  const after = cursor
    ? sql`and (l.paid_at, l.id) < (select paid_at, id from payment_lines where id = ${cursor})`
    : sql``;
  const page = query(lineColumns)(sql`
    ${sql.raw(lineSelect)} where ${where} ${after} order by l.paid_at desc, l.id desc limit ${limit}`);
  const [rows] = await db.ask(page);
  return { rows, count: await countUpToCap(db, sql`select l.id from payment_lines l where ${where}`) };
}

const seconds = (ms: number) => `interval '${ms / 1_000} seconds'`;
const inTime = `t.created_at between l.paid_at - ${seconds(matchLimits.payerAfterMs)} and l.paid_at + ${seconds(matchLimits.payerBeforeMs)}`;
const isSameReference = `t.payment_reference is not null and translate(t.payment_reference, './-_', '') = l.plain_reference`;
const isFree = `t.status = 'pending' and not exists (
  select from payment_matches m where m.ticket_id = t.id and m.undone_at is null)`;

const openColumns = {
  id: int,
  accountId: int,
  country: text,
  gross: int,
  plainReference: nullable(text),
  ourReference: nullable(int),
  payer: nullable(text),
  paidAt: instant,
  isSettled: bool,
  isTrusted: bool,
  isOdd: bool,
  isDayOnly: bool,
};

/** Whether the balance that an SMS tells follows from the line before. */
const isChained = `l.balance_after is not null and exists (
  select from payment_lines before where before.account_id = l.account_id and before.id <> l.id
    and before.balance_after = l.balance_after - l.gross * 100::bigint
    and before.paid_at between l.paid_at - interval '7 days' and l.paid_at + interval '10 minutes')`;

/** Whether another account has a payment of the same id: a statement may have been imported into the wrong one. */
const isTwin = `exists (
  select from payment_lines twin where twin.plain_reference = l.plain_reference and twin.account_id <> l.account_id and twin.direction = 'in')`;

/** Lines that may pay a ticket, as they are compared; a balance that follows from another one is looked up. */
const openSelect = `
  select l.id, l.account_id as "accountId", a.country, l.gross, l.plain_reference as "plainReference",
         l.our_reference as "ourReference", l.payer, l.paid_at as "paidAt", l.state = 'settled' as "isSettled",
         l.is_trusted and ${isChained} as "isTrusted", l.anomaly is not null or ${isTwin} as "isOdd", l.is_day_only as "isDayOnly"
  from payment_lines l join payment_accounts a on a.id = l.account_id`;

const newest = (count: number) =>
  `select * from payment_lines l where ${isUnpaired} order by l.paid_at desc, l.id desc limit ${count}`;
/** Waiting tickets of a line's payer, by the number that they tell and by their person's own, of its amount and time. */
const ofPayer = (and: string) => [
  `(select t.id from tickets t where t.payer_phone = l.payer and t.total_price = l.gross::text and ${inTime} and ${isFree} ${and}
    limit ${matchLimits.rivals})`,
  `(select t.id from users u join tickets t on t.user_id = u.id where u.phone = l.payer
    and t.total_price = l.gross::text and ${inTime} and ${isFree} ${and} limit ${matchLimits.rivals})`,
];
/** Waiting tickets that a line may pay, by each kind of evidence from its index. */
const evidence = [
  `(select t.id from tickets t where t.id = l.our_reference and ${isFree})`,
  `(select t.id from tickets t where ${isSameReference} and ${isFree} limit ${matchLimits.rivals})`,
  ...ofPayer(''),
];
const withoutReference = 'and (t.payment_reference is null or l.plain_reference is null)';
/** Open lines of a line's payer and amount, with itself, whose evidence is not another one. */
const equalLines = `
  select l.id from payment_lines l where l.payer = other.payer and l.gross = other.gross and ${isUnpaired}
    and l.our_reference is null and l.anomaly is null and not l.is_day_only
    and l.paid_at between other.paid_at - interval '1 day' and other.paid_at + interval '1 day'
    and not exists (select from tickets t where ${isSameReference} and ${isFree}) limit ${matchLimits.rivals}`;

const newestOpen = statement(openColumns)<[]>(`
  with newest as (
    select l.id from payment_lines l where ${isUnpaired} and l.anomaly is null
    order by l.paid_at desc, l.id desc limit ${matchLimits.lines}
  ), proven as (
    select l.id from (${newest(matchLimits.searched)}) l where ${evidence.map((each) => `exists ${each}`).join(' or ')}
    limit ${matchLimits.lines}
  ), ticked as (
    select l.id from (${newest(matchLimits.searchedToTick)}) l where l.anomaly is null and not l.is_day_only and (
      l.state = 'settled' and l.payer is not null
        and (select count(*) from (${ofPayer(withoutReference).join(' union ')}) t)
          = (select greatest(1, count(*)) from (select l.*) other cross join lateral (${equalLines}) l)
      or (exists (select from tickets t where t.id = l.our_reference and t.total_price = l.gross::text and ${isFree})
        or (select count(*) = 1 and bool_and(t.total_price = l.gross::text
              and (t.phones = '{}' or l.payer is null or l.payer not like '+%' or l.payer = any(t.phones)))
            from (select t.total_price, array_remove(array[t.payer_phone, u.phone], null) as phones
              from tickets t left join users u on u.id = t.user_id where ${isSameReference} and ${isFree} limit 2) t))
        and (l.state = 'settled' or l.is_trusted and ${isChained})
    ) limit ${proposalsAtOnce}
  )
  ${openSelect} where l.id in (select id from newest union select id from proven union select id from ticked)
  order by l.paid_at desc, l.id desc`);

/**
 * The newest open lines, the newest that a ticket, a reference or a payer speaks for, and the newest whose evidence may suffice
 * to be ticked: what is doubtful hides no sure one, however much of it waits.
 */
export async function listNewestOpen(db: Db): Promise<OpenLine[]> {
  const [rows] = await db.ask(newestOpen());
  return rows;
}

const openById = statement(openColumns)<[ids: string]>(`${openSelect} where ${isUnpaired} and l.id = any($1::int[])`);

export async function findOpenLines(db: Db, ids: Iterable<number>): Promise<OpenLine[]> {
  const [rows] = await db.ask(openById(setOf(ids)));
  return rows;
}

const ticketColumns = {
  id: int,
  total: int,
  plainReference: nullable(text),
  createdAt: instant,
  declaredAt: nullable(instant),
  payers: texts,
};
const ticketSelect = `
  select t.id, t.total_price::int as total, translate(t.payment_reference, './-_', '') as "plainReference",
         t.created_at as "createdAt", t.payment_declared_at as "declaredAt",
         array_remove(array[t.payer_phone, case when u.is_verified and not u.is_guest then u.phone end], null) as payers
  from tickets t left join users u on u.id = t.user_id`;
/** The same of a ticket's lines, in a form that an index of their time serves. */
const isPaidInTime = `l.paid_at between t.created_at - ${seconds(matchLimits.payerBeforeMs)} and t.created_at + ${seconds(matchLimits.payerAfterMs)}`;
const some = `limit ${matchLimits.rivals}`;

const pair = { lineId: int, ticketId: int };
const pairsBy = (read: typeof candidates) => async (db: Db, ids: Iterable<number>) => {
  const [rows] = await db.ask(read(setOf(ids)));
  return rows;
};
const ofLines = 'with l as (select * from payment_lines where id = any($1::int[]))';

const candidates = statement(pair)<[ids: string]>(`
  ${ofLines} select l.id as "lineId", found.id as "ticketId" from l cross join lateral (${evidence.join(' union ')}) found`);

/** Tickets that each of these lines may pay, by each kind of evidence from its index. */
export const findCandidates = pairsBy(candidates);

const nearest = statement(pair)<[ids: string]>(`
  ${ofLines} select l.id as "lineId", found.id as "ticketId" from l cross join lateral (
    (select t.id from tickets t where t.total_price = l.gross::text and t.created_at <= l.paid_at
      and ${inTime} and ${isFree} order by t.created_at desc limit ${matchLimits.nearest})
    union all
    (select t.id from tickets t where t.total_price = l.gross::text and t.created_at > l.paid_at
      and ${inTime} and ${isFree} order by t.created_at limit ${matchLimits.nearest})
  ) found`);

/** Tickets of the same amount that were filed nearest to each of these lines. */
export const findNearest = pairsBy(nearest);

const ticketsById = statement(ticketColumns)<[ids: string]>(
  `${ticketSelect} where ${isFree} and t.id = any($1::int[])`,
);

export async function findOpenTickets(db: Db, ids: Iterable<number>): Promise<OpenTicket[]> {
  const [rows] = await db.ask(ticketsById(setOf(ids)));
  return rows;
}

const rivals = statement(pair)<[ids: string]>(`
  with t as (
    select t.*, u.phone as own from tickets t
    left join users u on u.id = t.user_id and u.is_verified and not u.is_guest where t.id = any($1::int[]))
  select t.id as "ticketId", found.id as "lineId" from t cross join lateral (
    (select l.id from payment_lines l where l.our_reference = t.id and ${isUnpaired} ${some})
    union (select l.id from payment_lines l where l.plain_reference = translate(t.payment_reference, './-_', '')
      and l.plain_reference is not null and ${isUnpaired} ${some})
    union (select l.id from payment_lines l where l.payer in (t.payer_phone, t.own) and l.gross = t.total_price::int
      and ${isPaidInTime} and ${isUnpaired} ${some})
  ) found`);

/** Other open lines that these tickets may be paid by, by number, reference, or payer and amount. */
export const findRivals = pairsBy(rivals);

const unpaid = statement({ id: int })<[]>(`
  select t.id from tickets t where t.payment_declared_at < now() - interval '15 minutes' and ${isFree}
    and not exists (select from payment_lines l where ${isUnpaired}
      and l.plain_reference = translate(t.payment_reference, './-_', ''))
  order by t.payment_declared_at limit ${proposalsAtOnce}`);

/** Pending tickets that were declared paid a while ago, and no open line has their reference; the oldest declaration first. */
export async function listUnpaid(db: Db): Promise<number[]> {
  const [rows] = await db.ask(unpaid());
  return rows.map(({ id }) => id);
}

const lockingLine = statement({ id: int })<[id: number]>('select id from payment_lines where id = $1 for update');

/** Locks a line until the transaction ends. Throws PAYMENT_NOT_FOUND. */
export async function lockLine(tx: Db, id: number): Promise<LineRow> {
  const [[locked]] = await tx.ask(lockingLine(id));
  const line = locked && (await findLines(tx, [id])).get(id);
  if (!line) throw new Failure('PAYMENT_NOT_FOUND');
  return line;
}

export const insertMatch = statement(none)<
  [lineId: number, ticketId: number, rule: MatchRule, evidence: string, decidedBy: number]
>(`insert into payment_matches (line_id, ticket_id, rule, evidence, decided_by) values ($1, $2, $3, $4::jsonb, $5)`);

const undoing = statement({ ticketId: int })<[lineId: number, by: number]>(`
  update payment_matches set undone_at = now(), undone_by = $2 where line_id = $1 and undone_at is null
  returning ticket_id as "ticketId"`);

/** Takes a line from its ticket; answers the ticket. Throws PAYMENT_FREE. */
export async function undoMatch(tx: Db, lineId: number, by: number): Promise<number> {
  const [[undone]] = await tx.ask(undoing(lineId, by));
  if (!undone) throw new Failure('PAYMENT_FREE');
  return undone.ticketId;
}

const ignoring = statement(none)<[id: number, ignored: boolean]>(
  'update payment_lines set is_ignored = $2, updated_at = now() where id = $1',
);

export async function setIgnored(tx: Db, id: number, ignored: boolean): Promise<void> {
  await tx.ask(ignoring(id, ignored));
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

const reminding = statement({ id: int })<[ticketId: number]>(`
  update tickets set payer_reminded_at = now() where id = $1 and status = 'pending'
    and (payer_reminded_at is null or payer_reminded_at < now() - interval '1 day') returning id`);

/** Notes that the person of a ticket is reminded; false where they were within a day, or it is decided. */
export async function noteReminder(tx: Db, ticketId: number): Promise<boolean> {
  const [rows] = await tx.ask(reminding(ticketId));
  return rows.length > 0;
}

const counting = statement({ unread: int })<[]>(`
  select count(*)::int as unread from (
    select from payment_messages where state in ('unread', 'refused') limit 1000) waiting`);

export async function countUnread(db: Db): Promise<number> {
  const [[row]] = await db.ask(counting());
  return row?.unread ?? 0;
}
