import { and, asc, desc, eq, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { countedUpTo } from '#contract/shapes.ts';
import { referencesReplacedAtMost, referenceUsesAtMost, type TicketStatus, ticket } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { countUpToCap, jsonPagesOf } from '#server/database/counted-page.ts';
import { users } from '#server/features/users/tables.ts';
import { ticketEvents, ticketPaths, tickets } from './tables.ts';

export type TicketRow = typeof tickets.$inferSelect;

/** A ticket, and its user if there still is one. */
export type TicketWithOwner = Awaited<ReturnType<typeof selectWithOwner>>[number];

export async function findTicketWithOwner(db: Db, id: number): Promise<TicketWithOwner | undefined> {
  const [row] = await selectWithOwner(db).where(eq(tickets.id, id));
  return row;
}

function selectWithOwner(db: Db) {
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

/** A user's tickets, newest first, and how many there are in all. */
export const listUserTickets = jsonPagesOf(tickets, 'user_id', ticket);

/** References without their marks, which people type differently for one transaction. */
const plain = (reference: SQLWrapper) => sql`translate(${reference}, './-', '')`;

/**
 * Records that the user of a pending ticket says to have paid it; `undefined` without such a ticket, news, or replacements
 * left. A reference replaces another one, which is kept.
 */
export async function setPaymentDeclared(
  db: Db,
  { id, userId, reference }: { id: number; userId: number; reference: string | null },
): Promise<TicketRow | undefined> {
  const given = sql`${reference}::text`;
  const isNew =
    reference === null
      ? undefined
      : and(
          sql`${plain(tickets.paymentReference)} is distinct from ${plain(given)}`,
          sql`cardinality(${tickets.earlierReferences}) < ${referencesReplacedAtMost}`,
        );
  const [row] = await db
    .update(tickets)
    .set({
      ...(reference !== null && {
        paymentReference: reference,
        earlierReferences: sql`array_remove(${tickets.earlierReferences} || ${tickets.paymentReference}, null)`,
      }),
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

/** How many other tickets have the payment reference of each of these, whatever its marks, up to so many; by the ticket's id. */
export async function countReferenceUses(db: Db, those: readonly TicketRow[]): Promise<ReadonlyMap<number, number>> {
  const declared = those.filter(({ paymentReference }) => paymentReference !== null);
  if (declared.length === 0) return new Map();
  const references = sql.join(
    declared.map(({ paymentReference }) => sql`${paymentReference}`),
    sql`, `,
  );
  const { rows } = await db.execute<{ id: number; uses: number }>(sql`
    select asked.id, (
      select count(*)::int from (
        select from tickets
        where ${plain(sql`payment_reference`)} = ${plain(sql`asked.reference`)} and id <> asked.id limit ${referenceUsesAtMost}
      ) others
    ) as uses
    from unnest(${arrayOf(declared.map(({ id }) => id))}, array[${references}]::text[]) as asked(id, reference)`);
  return new Map(rows.map(({ id, uses }) => [id, uses]));
}

/** What an administrator looks for among the tickets, besides words. */
export interface TicketFilter {
  status?: TicketStatus | undefined;
  /** Instants, both included. */
  from?: string | undefined;
  to?: string | undefined;
  userId?: number | undefined;
}

/** One way to find tickets. `newest` looks only among so many of the newest that pass the filter. */
export type TicketSource =
  | { by: 'all' }
  | { by: 'paths'; pathIds: number[]; newest?: number }
  | { by: 'numbers'; ids: number[] }
  | { by: 'digits'; digits: string; newest: number };

/** The different paths of services whose names hold a text, whatever its case and accents. */
export async function listMatchingPaths(db: Db, text: string): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from ${ticketPaths} where strpos(folded, fold_text(${text})) > 0`,
  );
  return rows.map((row) => row.id);
}

/** The highest ticket number so far; 0 before the first ticket. */
export async function readLastTicketId(db: Db): Promise<number> {
  const { rows } = await db.execute<{ last: number }>(sql`select coalesce(max(id), 0)::int as last from ${tickets}`);
  return rows[0]?.last ?? 0;
}

const newestFirst = sql`order by created_at desc, id desc`;

function conditionsOf({ status, from, to, userId }: TicketFilter, before?: number): SQL {
  const conditions = [
    status && sql`status = ${status}`,
    from && sql`created_at >= ${from}::timestamptz`,
    to && sql`created_at <= ${to}::timestamptz`,
    userId && sql`user_id = ${userId}`,
    before && sql`(created_at, id) < (select created_at, id from tickets where id = ${before})`,
  ].filter((each): each is SQL => typeof each === 'object');
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

const arrayOf = (ids: number[]) => sql`${`{${ids.join(',')}}`}::int[]`;

/** Ids and instants of the tickets of a source, newest first, `limit` at most. */
function findNewest(source: TicketSource, where: SQL, limit: number): SQL {
  const all = sql`select id, created_at from tickets where ${where}`;
  if (source.by === 'all') return sql`${all} ${newestFirst} limit ${limit}`;
  if (source.by === 'numbers') return sql`${all} and id = any(${arrayOf(source.ids)}) ${newestFirst} limit ${limit}`;
  if (source.by === 'digits' || source.newest !== undefined) {
    const matches = source.by === 'paths' ? sql`path_id = any(${arrayOf(source.pathIds)})` : holds(source.digits);
    return sql`select id, created_at from (
      select id, created_at, path_id from tickets where ${where} ${newestFirst} limit ${source.newest}
    ) newest where ${matches} ${newestFirst} limit ${limit}`;
  }
  // Of each path the newest, by its index: no path has more to give to this page.
  return sql`select t.id, t.created_at from unnest(${arrayOf(source.pathIds)}) as paths(path)
    cross join lateral (${all} and path_id = paths.path ${newestFirst} limit ${limit}) t ${newestFirst} limit ${limit}`;
}

const holds = (digits: string) => sql`id::text like ${`%${digits}%`}`;

/** A page of the tickets that any of these sources has, newest first, after the ticket `before`, with their users. */
export async function listTickets(
  db: Db,
  sources: readonly TicketSource[],
  { limit, before, ...filter }: TicketFilter & { limit: number; before?: number | undefined },
): Promise<TicketWithOwner[]> {
  const where = conditionsOf(filter, before);
  const each = sources.map((source) => sql`(${findNewest(source, where, limit)})`);
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from (${sql.join(each, sql` union `)}) found ${newestFirst} limit ${limit}`,
  );
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  return selectWithOwner(db)
    .where(sql`${tickets.id} = any(${arrayOf(ids)})`)
    .orderBy(desc(tickets.createdAt), desc(tickets.id));
}

/** How many tickets any of these sources has, up to 10,000. */
export async function countTickets(db: Db, sources: readonly TicketSource[], filter: TicketFilter) {
  const where = conditionsOf(filter);
  const each = sources.map((source) => {
    const all = sql`select id from tickets where ${where}`;
    if (source.by === 'all') return all;
    if (source.by === 'paths') return sql`${all} and path_id = any(${arrayOf(source.pathIds)})`;
    if (source.by === 'numbers') return sql`${all} and id = any(${arrayOf(source.ids)})`;
    return sql`${all} and ${holds(source.digits)}`;
  });
  const [first] = each;
  if (each.length === 1 && first) return countUpToCap(db, first);
  const capped = each.map((rows) => sql`(${rows} limit ${countedUpTo + 1})`);
  return countUpToCap(db, sql`select id from (${sql.join(capped, sql` union `)}) found`);
}

/** The tickets filed for a service and for all that is below it, and how many services are. */
export async function readServiceUse(
  db: Db,
  serviceId: number,
): Promise<{ descendants: number; tickets: number; exists: boolean }> {
  const { rows } = await db.execute<{ descendants: number; tickets: number; exists: boolean }>(sql`
    with recursive down(id) as (
      select id from services where id = ${serviceId}
      union select child.id from services child join down on child.parent_id = down.id
    )
    select (select count(*) > 0 from down) as exists,
           greatest((select count(*) from down) - 1, 0)::int as descendants,
           (select count(*) from tickets where service_id in (select id from down))::int as tickets`);
  return rows[0] as { descendants: number; tickets: number; exists: boolean };
}

/** How many tickets a user has filed, of those that are still theirs. */
export async function countTicketsOf(db: Db, userId: number): Promise<number> {
  return db.$count(tickets, eq(tickets.userId, userId));
}

/** A ticket's events with who caused them, the oldest first. */
export async function listTicketEvents(db: Db, ticketId: number) {
  const { id, firstName, lastName } = users;
  return db
    .select({ event: ticketEvents, actor: { id, firstName, lastName } })
    .from(ticketEvents)
    .leftJoin(users, eq(users.id, ticketEvents.actorId))
    .where(eq(ticketEvents.ticketId, ticketId))
    .orderBy(asc(ticketEvents.id));
}
