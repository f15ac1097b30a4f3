import { desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows } from '#server/database/rows.ts';
import { services } from '#server/features/catalogue/tables.ts';
import { tickets } from '#server/features/tickets/tables.ts';

export async function listRecentTickets(db: Db, limit: number) {
  const { id, status, servicePath, totalPrice, createdAt } = tickets;
  const columns = { id, status, servicePath, totalPrice, createdAt };
  return db.select(columns).from(tickets).orderBy(desc(createdAt), desc(id)).limit(limit);
}

/** The names of services with those above them, from the root on. */
export async function readServicePaths(db: Db, ids: number[]): Promise<Map<number, string[]>> {
  const found = await rows<{ id: number; names: string[] }>(
    db,
    sql`
      with recursive above as (
        select id as of, id, name, parent_id, 0 as steps from ${services} where ${inArray(services.id, ids)}
        union all select of, s.id, s.name, s.parent_id, steps + 1 from above join ${services} s on s.id = above.parent_id
      )
      select of as id, array_agg(name order by steps desc) as names from above group by of`,
  );
  return new Map(found.map(({ id, names }) => [id, names]));
}

/** When the oldest pending ticket was filed. */
export async function readOldestPending(db: Db): Promise<Date | null> {
  const { createdAt, status, id } = tickets;
  const [oldest] = await db.select({ createdAt }).from(tickets).where(eq(status, 'pending')).orderBy(id).limit(1);
  return oldest?.createdAt ?? null;
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
