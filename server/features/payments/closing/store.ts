import { hoursAhead } from '#contract/country-clock.ts';
import { countryCodes } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows, type Sql, sql } from '#server/database/rows.ts';
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
/** The day on the clock of an account's country. */
const dayOf = (instant: Sql) =>
  sql`(${instant} at time zone 'UTC' + make_interval(hours => case when a.country in ${aheadOfUtc} then 1 else 0 end))::date`;

/** The days of the last 31 that are over, have a line and no signature, and the first of them. */
export async function readUnsignedDays(db: Db): Promise<UnsignedDays> {
  const found = await rows<{ accountId: number; day: string; count: number }>(
    db,
    sql`
      with moved as (
        select distinct l.account_id, ${dayOf(sql`l.paid_at`)} as day
        from payment_lines l join payment_accounts a on a.id = l.account_id
        where l.state <> 'failed' and l.paid_at >= now() - interval '31 days' and ${dayOf(sql`l.paid_at`)} < ${dayOf(sql`now()`)}
      )
      select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, (count(*) over ())::int as count
      from moved m
      where not exists (select from payment_closings c where c.account_id = m.account_id and c.day = m.day)
      order by day, account_id limit 1`,
  );
  const [first] = found;
  if (!first) return { count: 0, oldest: null };
  const { count, ...oldest } = first;
  return { count, oldest };
}
