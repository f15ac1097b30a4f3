import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch } from '#server/database/delete-batch.ts';
import { sessions, users } from '#server/database/tables.ts';
import type { Visitor } from '#server/http/guards.ts';

/** A user's session lives 30 days after its last use; an administrator's 12 hours, used or not. In seconds. */
export const sessionLifetime = { user: 30 * 24 * 3600, admin: 12 * 3600 };

/** Who a session is opened for, as they were when they proved it. */
export interface Proven {
  id: number;
  isAdmin: boolean;
  /** The hash that their password matched; a guest has none. */
  password: string | null;
}

/**
 * Opens a session if what was proven still stands: false when the account was closed, deleted, or given another password
 * meanwhile. The row's lock makes a reset that comes second end this session too.
 */
export async function createSession(db: Db, sid: string, user: Proven): Promise<boolean> {
  const lifetime = user.isAdmin ? sessionLifetime.admin : sessionLifetime.user;
  const { rows } = await db.execute(sql`
    insert into sessions (sid, user_id, expire)
    select ${sid}, id, now() + make_interval(secs => ${lifetime}) from users
    where id = ${user.id} and password is not distinct from ${user.password} and deactivated_at is null
    for key share
    returning sid`);
  return rows.length > 0;
}

/** The person of a live session, and whether the session has aged a day since it was last renewed. */
export async function findVisitor(db: Db, sid: string): Promise<(Visitor & { renew: boolean }) | undefined> {
  const [row] = await db
    .select({
      sid: sessions.sid,
      userId: users.id,
      isGuest: users.isGuest,
      isVerified: users.isVerified,
      isAdmin: users.isAdmin,
      countryCode: users.countryCode,
      renew: sql<boolean>`not ${users.isAdmin} and ${sessions.expire} < now() + make_interval(secs => ${sessionLifetime.user - 86_400})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, sql`now()`), isNull(users.deactivatedAt)));
  return row;
}

export async function renewSession(db: Db, sid: string): Promise<void> {
  await db
    .update(sessions)
    .set({ expire: sql`now() + make_interval(secs => ${sessionLifetime.user})` })
    .where(eq(sessions.sid, sid));
}

export async function deleteSession(db: Db, sid: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.sid, sid));
}

/** Deletes sessions that ended over 7 days ago (until then a guest's tells when the guest was last here), `batch` at most. */
export async function deleteOldSessions(db: Db, batch: number): Promise<number> {
  return deleteBatch(db, {
    table: sessions,
    key: sessions.sid,
    where: lt(sessions.expire, sql`now() - interval '7 days'`),
    limit: batch,
  });
}
