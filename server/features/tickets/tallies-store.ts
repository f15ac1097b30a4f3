import { sql } from 'drizzle-orm';
import type { TicketStatus } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows } from '#server/database/rows.ts';
import { tallies, tallyChanges } from './tallies-tables.ts';

/** All counts, folded or not, of both tables in one snapshot. */
const everything = sql`(
  select what, hour, count, francs from ${tallies} union all select what, hour, count, francs from ${tallyChanges}
) everything`;

/** The sum of a kind over all hours, folded and pending. */
const total = (what: string) => sql`(
  coalesce((select count from ${tallies} where what = ${`all ${what}`} and hour = 'epoch'), 0) +
  coalesce((select sum(count) from ${tallyChanges} where what = ${what}), 0)
)::int`;

/** The number of users, as part of an SQL statement. */
export const userTotal = sql<number>`${total('users')}`;

/** The number of users, and of those created since this instant. */
export async function readUserTally(db: Db, since: Date): Promise<{ total: number; recent: number }> {
  const tally = sql`
    select ${userTotal} as total,
           coalesce((select sum(count) from ${everything} where what = 'users' and hour >= ${since}), 0)::int as recent`;
  return requireRow(db, tally);
}

export async function readTicketTally(db: Db): Promise<Record<TicketStatus, number>> {
  const tally = sql`
    select ${total('tickets:pending')} as pending, ${total('tickets:approved')} as approved,
           ${total('tickets:rejected')} as rejected`;
  return requireRow(db, tally);
}

/** Tickets filed per day of a time zone since an instant, and the francs of those not rejected; days without any are left out. */
export async function listTicketDays(
  db: Db,
  { since, timeZone }: { since: Date; timeZone: string },
): Promise<{ day: string; tickets: number; francs: number }[]> {
  const days = sql`
    select to_char(hour at time zone ${timeZone}, 'YYYY-MM-DD') as day,
           sum(count)::int as tickets,
           coalesce(sum(francs) filter (where what <> 'tickets:rejected'), 0)::float8 as francs
    from ${everything}
    where what in ('tickets:pending', 'tickets:approved', 'tickets:rejected') and hour >= ${since}
    group by 1 order by 1`;
  return rows(db, days);
}

/** The services with most tickets since an instant, by days in UTC: ids and counts. */
export async function listTopServices(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<{ serviceId: number; tickets: number }[]> {
  const top = sql`
    select substr(what, 9)::int as "serviceId", tickets from (
      select what, sum(count)::int as tickets
      from ${everything} where starts_with(what, 'service:') and hour >= date_trunc('day', ${since}::timestamptz, 'UTC')
      group by what having sum(count) > 0 order by 2 desc, length(what), what limit ${limit}
    ) top`;
  return rows(db, top);
}

/** Folds pending changes into the tallies, `limit` at most; sums stay the same. Answers how many. */
export async function foldTallies(db: Db, limit: number): Promise<number> {
  const folding = sql`
    with gone as (
      delete from ${tallyChanges}
      where id in (select id from ${tallyChanges} order by id limit ${limit} for update skip locked)
      returning what, hour, count, francs
    ), sums as (
      select what, hour, sum(count) as count, sum(francs) as francs from gone group by 1, 2
      union all
      select 'all ' || what, 'epoch', sum(count), sum(francs) from gone where not starts_with(what, 'service:') group by what
    ), folded as (
      insert into ${tallies} as known (what, hour, count, francs) select what, hour, count, francs from sums
      on conflict (what, hour) do update set count = known.count + excluded.count, francs = known.francs + excluded.francs
    )
    select count(*)::int as folded from gone`;
  return (await requireRow<{ folded: number }>(db, folding)).folded;
}
