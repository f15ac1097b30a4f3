import { sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows } from '#server/database/rows.ts';
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
