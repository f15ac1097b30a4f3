import { and, eq, gt, isNull, lt, notExists, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch, isOlderThan } from '#server/database/store.ts';
import { sessions } from '#server/features/entry/sessions-tables.ts';
import { users } from '#server/features/users/tables.ts';
import { retentionSeconds } from '#server/process/limits.ts';

/** Deletes guests whose last session ended long ago, `limit` at most; answers how many. */
export async function deleteExpiredGuests(db: Db, limit: number): Promise<number> {
  const longAgo = sql`now() - make_interval(secs => ${retentionSeconds.guests})`;
  const recent = db
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.userId, users.id), gt(sessions.expire, longAgo)));
  const where = and(eq(users.isGuest, true), lt(users.createdAt, longAgo), notExists(recent));
  return deleteBatch(db, { table: users, key: users.id, where, limit });
}

/** Deletes accounts whose number was not verified within a day of the last sign-up, `limit` at most; answers how many. */
export async function deleteNeverVerified(db: Db, limit: number): Promise<number> {
  const where = and(
    sql`not (${users.isVerified} or ${users.isGuest} or ${users.isAdmin})`,
    isNull(users.deactivatedAt),
    isOlderThan(users.updatedAt, retentionSeconds.neverVerified),
  );
  return deleteBatch(db, { table: users, key: users.id, where, limit });
}
