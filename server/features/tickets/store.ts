import { and, asc, desc, eq, inArray, isNull, max, or, type SQL, sql } from 'drizzle-orm';
import { searchedWords } from '#contract/fold.ts';
import { countedUpTo } from '#contract/shapes.ts';
import {
  decisionsMeasured,
  decisionsMeasuredAtLeast,
  decisionsMeasuredDays,
  referencesReplacedAtMost,
  referenceUsesAtMost,
  type TicketStatus,
} from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { plainReference } from '#server/database/plain-reference.ts';
import { countUpToCap, dialect, prepareOwnList, requireRow, rows } from '#server/database/rows.ts';
import { users } from '#server/features/users/tables.ts';
import { searchLimits } from './limits.ts';
import { ticketEvents, ticketPaths, tickets } from './tables.ts';

export type TicketRow = typeof tickets.$inferSelect;

/** A ticket with its user, unless they were deleted. */
export type TicketWithOwner = Awaited<ReturnType<typeof selectWithOwner>>[number];

export async function findTicketWithOwner(db: Db, id: number): Promise<TicketWithOwner | undefined> {
  const [row] = await selectWithOwner(db).where(eq(tickets.id, id));
  return row;
}

/** Tickets with their users, in no order. */
export async function findTicketsWithOwner(db: Db, ids: number[]): Promise<TicketWithOwner[]> {
  return ids.length === 0 ? [] : selectWithOwner(db).where(inArray(tickets.id, ids));
}

export function selectWithOwner(db: Db) {
  const { id, firstName, lastName, phone, email } = users;
  return db
    .select({ ticket: tickets, user: { id, firstName, lastName, phone, email } })
    .from(tickets)
    .leftJoin(users, eq(users.id, tickets.userId));
}

export async function findTicketOf(db: Db, userId: number, id: number): Promise<TicketRow | undefined> {
  const [row] = await db
    .select()
    .from(tickets)
    .where(and(eq(tickets.id, id), eq(tickets.userId, userId)));
  return row;
}

/** A user's tickets, newest first, after the ticket `before`, with the total count. */
export const listUserTickets = prepareOwnList<TicketRow>(tickets);

/**
 * Records that the user of a pending ticket says they paid it; `undefined` without such a ticket, a new fact, or replacements left. A new
 * reference replaces the earlier one, which is kept.
 */
export async function setPaymentDeclared(
  db: Db,
  {
    id,
    userId,
    reference,
    payerPhone,
  }: { id: number; userId: number; reference: string | null; payerPhone: string | null },
): Promise<TicketRow | undefined> {
  const isNew =
    reference === null
      ? undefined
      : and(
          sql`${tickets.plainReference} is distinct from ${plainReference(reference)}`,
          sql`cardinality(${tickets.earlierReferences}) < ${referencesReplacedAtMost}`,
        );
  const [row] = await db
    .update(tickets)
    .set({
      ...(reference !== null && {
        paymentReference: reference,
        earlierReferences: sql`array_remove(${tickets.earlierReferences} || ${tickets.paymentReference}, null)`,
      }),
      ...(payerPhone !== null && { payerPhone }),
      paymentDeclaredAt: sql`coalesce(${tickets.paymentDeclaredAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(tickets.id, id),
        eq(tickets.userId, userId),
        eq(tickets.status, 'pending'),
        or(isNull(tickets.paymentDeclaredAt), isNew),
      ),
    )
    .returning();
  return row;
}

/** How many other tickets share each ticket's payment reference, without marks, up to a limit; by ticket id. */
export async function countReferenceUses(db: Db, those: readonly TicketRow[]): Promise<ReadonlyMap<number, number>> {
  const declared = those.flatMap(({ id, plainReference }) => (plainReference === null ? [] : [{ id, plainReference }]));
  if (declared.length === 0) return new Map();
  const found = await rows<{ id: number; uses: number }>(
    db,
    sql`
    select asked.id, (
      select count(*)::int from (
        select from tickets
        where plain_reference = asked.reference and id <> asked.id limit ${referenceUsesAtMost}
      ) others
    ) as uses
    from unnest(${arrayOf(declared.map(({ id }) => id))}, ${textsOf(declared.map((each) => each.plainReference))}) as asked(id, reference)`,
    'prepared',
  );
  return new Map(found.map(({ id, uses }) => [id, uses]));
}

/** An administrator's filter of tickets, besides search words. */
export interface TicketFilter {
  status?: TicketStatus | undefined;
  /** Instants, both included. */
  from?: string | undefined;
  to?: string | undefined;
  userId?: number | undefined;
}

/** One way to find tickets. `first` searches only that many filtered tickets, in the requested order. */
export type TicketSource =
  | { by: 'all' }
  | { by: 'paths'; pathIds: number[]; first?: number }
  | { by: 'numbers'; ids: number[] }
  | { by: 'digits'; digits: string; first: number }
  | { by: 'users'; userIds: number[]; totals?: number[]; first?: number }
  /** The last digits of the beneficiary's number. */
  | { by: 'beneficiary'; endings: string[]; totals?: number[] }
  | { by: 'total'; total: number }
  /** In their plain form. */
  | { by: 'references'; references: string[] }
  /** Part of one, in its plain form. */
  | { by: 'reference part'; part: string; first?: number };

/** A page of a list: its length, the row before it, and the order in time. */
export interface TicketPage {
  limit: number;
  before?: number | undefined;
  order?: 'newest' | 'oldest' | undefined;
}

/** The paths of services whose names contain every word of a text, in any spelling. */
export async function listMatchingPaths(db: Db, text: string): Promise<number[]> {
  const found = await db
    .select({ id: ticketPaths.id })
    .from(ticketPaths)
    .where(and(...searchedWords(text).map((word) => sql`strpos(${ticketPaths.folded}, fold_text(${word})) > 0`)));
  return found.map(({ id }) => id);
}

/** The highest ticket number so far; 0 before the first ticket. */
export async function readLastTicketId(db: Db): Promise<number> {
  const [row] = await db.select({ last: max(tickets.id) }).from(tickets);
  return row?.last ?? 0;
}

const inOrder = (order: TicketPage['order']) =>
  order === 'oldest' ? sql`order by created_at, id` : sql`order by created_at desc, id desc`;

/** A filter, and a page's start, as conditions on `tickets t`. */
function conditionsOf({ status, from, to, userId }: TicketFilter, { before, order }: Partial<TicketPage> = {}): SQL {
  const isLater = order === 'oldest' ? sql`>` : sql`<`;
  const conditions = [
    status && sql`t.status = ${status}`,
    from && sql`t.created_at >= ${from}::timestamptz`,
    to && sql`t.created_at <= ${to}::timestamptz`,
    userId && sql`t.user_id = ${userId}`,
    before && sql`(t.created_at, t.id) ${isLater} (select created_at, id from tickets where id = ${before})`,
  ].filter((each): each is SQL => typeof each === 'object');
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

const arrayOf = (ids: number[]) => sql`${`{${ids.join(',')}}`}::int[]`;
const textsOf = (texts: readonly (string | number)[]) => sql`${sql.param(texts.map(String))}::text[]`;

/** Whether a source has the ticket `t`. */
function isOf(source: TicketSource): SQL {
  switch (source.by) {
    case 'all':
      return sql`true`;
    case 'paths':
      return sql`t.path_id = any(${arrayOf(source.pathIds)})`;
    case 'numbers':
      return sql`t.id = any(${arrayOf(source.ids)})`;
    case 'digits':
      return sql`t.id::text like ${`%${source.digits}%`}`;
    case 'users':
      return sql`t.user_id = any(${arrayOf(source.userIds)}) and ${costs(source)}`;
    case 'beneficiary': {
      // One condition each: PostgreSQL uses the index for one pattern, not for a list.
      const each = source.endings.map(
        (ending) => sql`reverse(t.beneficiary_phone_number) like ${`${[...ending].reverse().join('')}%`}`,
      );
      return sql`(${sql.join(each, sql` or `)}) and ${costs(source)}`;
    }
    case 'total':
      return sql`t.total_price = ${String(source.total)}`;
    case 'references':
      return sql`t.plain_reference = any(${textsOf(source.references)})`;
    case 'reference part':
      return sql`t.plain_reference like ${`%${source.part}%`}`;
  }
}

const costs = ({ totals }: { totals?: number[] }) =>
  totals ? sql`t.total_price = any(${textsOf(totals)})` : sql`true`;

const isRare = (source: TicketSource) =>
  source.by === 'users' ? source.userIds.length <= searchLimits.fewUsers : source.by !== 'all' && source.by !== 'total';

/** Ids and times of a source's tickets in the page's order, `limit` at most. */
function findFirst(source: TicketSource, where: SQL, { order, limit }: TicketPage): SQL {
  const page = sql`${inOrder(order)} limit ${limit}`;
  const all = sql`select t.id, t.created_at from tickets t where ${where}`;
  if ('first' in source)
    return sql`select id, created_at from (
      select t.id, t.created_at, t.path_id, t.user_id, t.total_price, t.plain_reference from tickets t where ${where} ${inOrder(order)} limit ${source.first}
    ) t where ${isOf(source)} ${page}`;
  // Without `offset 0` PostgreSQL would scan all tickets in order for the few of a rare source.
  if (source.by !== 'paths')
    return isRare(source)
      ? sql`select id, created_at from (${all} and ${isOf(source)} offset 0) few ${page}`
      : sql`${all} and ${isOf(source)} ${page}`;
  // Reads each path's first tickets by its index: a page needs no more of any path.
  return sql`select f.id, f.created_at from unnest(${arrayOf(source.pathIds)}) as paths(path)
    cross join lateral (${all} and t.path_id = paths.path ${page}) f ${page}`;
}

/** A page of the tickets in any of these sources, after the ticket `before`, with their users. */
export async function listTickets(
  db: Db,
  sources: readonly TicketSource[],
  { limit, before, order, ...filter }: TicketFilter & TicketPage,
): Promise<TicketWithOwner[]> {
  const where = conditionsOf(filter, { before, order });
  const each = sources.map((source) => sql`(${findFirst(source, where, { limit, order })})`);
  const page = sql`select id from (${sql.join(each, sql` union `)}) found ${inOrder(order)} limit ${limit}`;
  const found = await rows<{ id: number }>(db, page);
  if (found.length === 0) return [];
  const way = order === 'oldest' ? asc : desc;
  return selectWithOwner(db)
    .where(sql`${tickets.id} = any(${arrayOf(found.map(({ id }) => id))})`)
    .orderBy(way(tickets.createdAt), way(tickets.id));
}

/** Counts the tickets in any of these sources, up to 10,000. */
export async function countTickets(db: Db, sources: readonly TicketSource[], filter: TicketFilter) {
  const where = conditionsOf(filter);
  const each = sources.map((source) => sql`select t.id from tickets t where ${where} and ${isOf(source)}`);
  const [first] = each;
  if (each.length === 1 && first) return countUpToCap(db, first);
  const capped = each.map((rows) => sql`(${rows} limit ${countedUpTo + 1})`);
  return countUpToCap(db, sql`select id from (${sql.join(capped, sql` union `)}) found`);
}

/** The same tickets as an SQL condition on `tickets t`, with parameters from $1 on. */
export function conditionTextOf(sources: readonly TicketSource[], filter: TicketFilter) {
  const any =
    sources.length > 0
      ? sql.join(
          sources.map((source) => sql`(${isOf(source)})`),
          sql` or `,
        )
      : sql`false`;
  const { sql: where, params: values } = dialect.sqlToQuery(sql`${conditionsOf(filter)} and (${any})`);
  return { where, values };
}

/** Reads only the newest events, by id: 1.4 ms with any number of tickets. */
const decisionTime = sql`
  with decided as (
    select e.ticket_id, e.created_at from (select * from ticket_events order by id desc limit ${searchLimits.events}) e
    where e.status <> 'pending' and e.created_at > now() - make_interval(days => ${decisionsMeasuredDays})
      and not exists (
        select from ticket_events earlier
        where earlier.ticket_id = e.ticket_id and earlier.id < e.id and earlier.status <> 'pending'
      )
    order by e.id desc limit ${decisionsMeasured}
  )
  select case when count(*) >= ${decisionsMeasuredAtLeast} then greatest(0, ceil(
           percentile_cont(0.5) within group (order by extract(epoch from decided.created_at - t.created_at)::float8)
         ))::int end as seconds
  from decided join tickets t on t.id = decided.ticket_id`;

/** The usual seconds from a ticket's filing to its first decision; null after too few decisions. */
export async function readDecisionTime(db: Db): Promise<number | null> {
  return (await requireRow<{ seconds: number | null }>(db, decisionTime)).seconds;
}

/** Counts a user's tickets, and those of them that are approved. */
export async function countTicketsOf(db: Db, userId: number): Promise<{ tickets: number; approvedTickets: number }> {
  return requireRow(
    db,
    sql`select count(*)::int as tickets, (count(*) filter (where status = 'approved'))::int as "approvedTickets"
      from tickets where user_id = ${userId}`,
  );
}

/** The facts that a receipt shows, for any user's ticket. */
export async function findReceipt(db: Db, id: number) {
  const { status, createdAt, servicePath, paymentTypeName, totalPrice, beneficiaryPhoneNumber } = tickets;
  const [row] = await db
    .select({ id: tickets.id, status, createdAt, servicePath, paymentTypeName, totalPrice, beneficiaryPhoneNumber })
    .from(tickets)
    .where(eq(tickets.id, id));
  return row;
}

export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof findReceipt>>>;

/** A ticket's events with their actors, the oldest first. */
export async function listTicketEvents(db: Db, ticketId: number) {
  const { id, firstName, lastName } = users;
  return db
    .select({ event: ticketEvents, actor: { id, firstName, lastName } })
    .from(ticketEvents)
    .leftJoin(users, eq(users.id, ticketEvents.actorId))
    .where(eq(ticketEvents.ticketId, ticketId))
    .orderBy(asc(ticketEvents.id));
}
