import { and, asc, desc, eq, gte, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { TicketStatus } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { users } from '#server/features/users/tables.ts';
import { databaseLimits, ticketLimits } from '#server/process/limits.ts';
import { ticketEvents, tickets } from './tables.ts';

export type TicketRow = typeof tickets.$inferSelect;
export type NewTicket = typeof tickets.$inferInsert;

/** A ticket, and its user if there still is one. */
export type TicketWithOwner = Awaited<ReturnType<typeof selectWithOwner>>[number];

/** Tickets of one user are filed one after the other, until the transaction ends. */
export async function lockFiling(db: Db, userId: number): Promise<void> {
  // In this order, in one round trip: the limit holds for the wait beside it.
  await db.execute(sql`
    select set_config('lock_timeout', ${String(databaseLimits.filingTurnMs)}, true),
           pg_advisory_xact_lock(hashtextextended(${`tickets:${userId}`}, 0))`);
}

/** The ticket a user filed under an idempotency key. */
export async function findTicketByKey(db: Db, userId: number, key: string): Promise<TicketRow | undefined> {
  const [row] = await db
    .select()
    .from(tickets)
    .where(and(eq(tickets.userId, userId), eq(tickets.idempotencyKey, key)));
  return row;
}

/** The same order of this user, filed a few seconds ago. */
export async function findRecentTwin(db: Db, userId: number, fingerprint: string): Promise<TicketRow | undefined> {
  const [row] = await db
    .select()
    .from(tickets)
    .where(
      and(
        eq(tickets.userId, userId),
        eq(tickets.fingerprint, fingerprint),
        gte(tickets.createdAt, sql`now() - make_interval(secs => ${ticketLimits.sameOrderSeconds})`),
      ),
    )
    .orderBy(desc(tickets.id));
  return row;
}

/** Files a ticket and the event of its creation. */
export async function insertTicket(db: Db, ticket: NewTicket): Promise<TicketRow> {
  const [row] = await db.insert(tickets).values(ticket).returning();
  const filed = row as TicketRow;
  await db.insert(ticketEvents).values({ ticketId: filed.id, status: filed.status, actorId: filed.userId });
  return filed;
}

/** Keeps a ticket's user from being deleted until the transaction ends. */
export async function lockOwner(db: Db, id: number): Promise<void> {
  await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, db.select({ userId: tickets.userId }).from(tickets).where(eq(tickets.id, id))))
    .for('key share');
}

/** A ticket's status, which nobody else changes until the transaction ends; `undefined` when there is no such ticket. */
export async function lockStatus(db: Db, id: number): Promise<TicketStatus | undefined> {
  const [row] = await db.select({ status: tickets.status }).from(tickets).where(eq(tickets.id, id)).for('update');
  return row?.status;
}

/** How many tickets a user filed in the last hour. */
export async function countRecentTickets(db: Db, userId: number): Promise<number> {
  return db.$count(
    tickets,
    and(
      eq(tickets.userId, userId),
      gte(tickets.createdAt, sql`now() - make_interval(secs => ${ticketLimits.hourSeconds})`),
    ),
  );
}

/** A user's tickets, newest first, and how many there are in all. */
export async function listUserTickets(
  db: Db,
  query: { userId: number; limit: number; before?: number | undefined },
): Promise<{ rows: TicketRow[]; total: number }> {
  const theirs = eq(tickets.userId, query.userId);
  const rows = await db
    .select()
    .from(tickets)
    .where(and(theirs, query.before ? lt(tickets.id, query.before) : undefined))
    .orderBy(desc(tickets.id))
    .limit(query.limit);
  return { rows, total: await db.$count(tickets, theirs) };
}

export interface TicketFilter {
  search?: string | undefined;
  status?: TicketStatus | undefined;
  /** Instants, both included. */
  from?: string | undefined;
  to?: string | undefined;
  userId?: number | undefined;
}

/** Tickets with their users, newest first, and how many match the filter in all. */
export async function listTickets(
  db: Db,
  query: TicketFilter & { limit: number; before?: number | undefined },
): Promise<{ rows: TicketWithOwner[]; total: number }> {
  const filter = and(
    query.search ? matches(query.search) : undefined,
    query.status && eq(tickets.status, query.status),
    query.from ? gte(tickets.createdAt, new Date(query.from)) : undefined,
    query.to ? lte(tickets.createdAt, new Date(query.to)) : undefined,
    query.userId ? eq(tickets.userId, query.userId) : undefined,
  );
  const rows = await selectWithOwner(db)
    .where(and(filter, query.before ? lt(tickets.id, query.before) : undefined))
    .orderBy(desc(tickets.id))
    .limit(query.limit);
  return { rows, total: await db.$count(tickets, filter) };
}

/** A ticket with its user. */
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

/** As specified: the id as text, or the path of services, whatever the case. */
function matches(search: string): SQL | undefined {
  const like = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return or(
    sql`${tickets.id}::text like ${like}`,
    sql`exists (select 1 from jsonb_array_elements(${tickets.servicePath}) step where lower(step->>'name') like ${like})`,
  );
}

/**
 * Changes a ticket's status, in one statement: `undefined` when it has that status already, or no longer the expected
 * one. Of several at once, as many succeed as there were changes.
 */
export async function setStatus(
  db: Db,
  change: {
    id: number;
    status: 'approved' | 'rejected';
    rejectReason: string | null;
    expected?: TicketStatus | undefined;
    actorId: number;
  },
): Promise<TicketRow | undefined> {
  const [row] = await db
    .update(tickets)
    .set({ status: change.status, rejectReason: change.rejectReason, updatedAt: sql`now()` })
    .where(
      and(
        eq(tickets.id, change.id),
        ne(tickets.status, change.status),
        change.expected ? eq(tickets.status, change.expected) : undefined,
      ),
    )
    .returning();
  if (row)
    await db.insert(ticketEvents).values({
      ticketId: row.id,
      status: row.status,
      reason: row.rejectReason,
      actorId: change.actorId,
    });
  return row;
}

/** A ticket's statuses, in the order it had them. */
export async function listTicketEvents(db: Db, ticketId: number) {
  return db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticketId)).orderBy(asc(ticketEvents.id));
}
