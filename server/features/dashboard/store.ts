import { desc, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { requireRow } from '#server/database/rows.ts';
import { services } from '#server/features/catalogue/tables.ts';
import { tickets } from '#server/features/tickets/tables.ts';

export async function listRecentTickets(db: Db, limit: number) {
  const { id, status, servicePath, totalPrice, createdAt } = tickets;
  const columns = { id, status, servicePath, totalPrice, createdAt };
  return db.select(columns).from(tickets).orderBy(desc(createdAt), desc(id)).limit(limit);
}

export async function readServiceNames(db: Db, ids: number[]): Promise<Map<number, string>> {
  const { id, name } = services;
  const rows = await db.select({ id, name }).from(services).where(inArray(id, ids));
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** When today began in a time zone, and the day that many days before, by the database's clock; the first as YYYY-MM-DD too. */
export async function readDayStarts(
  db: Db,
  { timeZone, daysBefore }: { timeZone: string; daysBefore: number },
): Promise<{ today: Date; first: Date; days: string[] }> {
  const starts = sql`
    with local as (select date_trunc('day', now() at time zone ${timeZone}) as day)
    select day at time zone ${timeZone} as today,
           (day - make_interval(days => ${daysBefore})) at time zone ${timeZone} as first,
           array(select to_char(generate_series(day - make_interval(days => ${daysBefore}), day, '1 day'), 'YYYY-MM-DD')) as days
    from local`;
  return requireRow(db, starts);
}
