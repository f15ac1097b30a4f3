import { hoursAhead } from '#contract/country-clock.ts';
import { countryCodes } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows, sql } from '#server/database/rows.ts';
import { type LineRow, lineSelect } from '#server/features/payments/matching/store.ts';
import { paymentClosings } from './tables.ts';

/** Lines of an account in a period, outgoing ones included, in order, with their number. */
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

/** Stores a day's signature, beside earlier ones. */
export async function insertClosing(tx: Db, closing: typeof paymentClosings.$inferInsert): Promise<void> {
  await tx.insert(paymentClosings).values(closing);
}

interface UnsignedDays {
  count: number;
  oldest: { accountId: number; day: string } | null;
}

const aheadOfUtc = countryCodes.filter((code) => hoursAhead(code) > 0);
/** How far the clock of an account's country is ahead of UTC. */
const ahead = sql`make_interval(hours => case when a.country in ${aheadOfUtc} then 1 else 0 end)`;

/** The days of the last 31 that are over, have a line and no signature, and the first of them. Each day is looked up by its index: a line more costs nothing. */
export async function readUnsignedDays(db: Db): Promise<UnsignedDays> {
  const found = await rows<{ accountId: number; day: string; count: number }>(
    db,
    sql`
      select a.id as "accountId", to_char(d.day, 'YYYY-MM-DD') as day, (count(*) over ())::int as count
      from payment_accounts a
        cross join lateral (select (now() at time zone 'UTC' + ${ahead})::date as today) clock
        cross join lateral (select clock.today - back as day from generate_series(1, 31) back) d
      where exists (
          select from payment_lines l where l.account_id = a.id and l.state <> 'failed'
            and l.paid_at >= (d.day - ${ahead}) at time zone 'UTC' and l.paid_at < (d.day + 1 - ${ahead}) at time zone 'UTC')
        and not exists (select from payment_closings c where c.account_id = a.id and c.day = d.day)
      order by d.day, a.id limit 1`,
  );
  const [first] = found;
  if (!first) return { count: 0, oldest: null };
  const { count, ...oldest } = first;
  return { count, oldest };
}
