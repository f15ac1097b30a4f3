import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { deleteBatch } from '#server/database/delete-batch.ts';
import { users } from '#server/features/users/tables.ts';
import type { Caller } from '#server/http/guards.ts';
import { retentionSeconds, sessionLimits } from '#server/process/limits.ts';
import { sessions } from './tables.ts';

/** Who a session is opened for, as they were when they proved it. */
export interface Proven {
  id: number;
  isAdmin: boolean;
  /** The hash that their password matched; a guest has none. */
  password: string | null;
}

/**
 * Opens a session if what was proven still stands: false when the account was closed, deleted, or given another password
 * meanwhile. The row's lock makes a reset, or a change of role, that comes second end this session too.
 */
export async function createSession(db: Db, sid: string, user: Proven): Promise<boolean> {
  // The role is read from the row: they may have got it since they proved who they are.
  const lifetime = sql`case when is_admin then ${sessionLimits.adminSeconds}::int else ${sessionLimits.userSeconds}::int end`;
  const { rows } = await db.execute(sql`
    insert into sessions (sid, user_id, expire)
    select ${sid}, id, now() + make_interval(secs => ${lifetime}) from users
    where id = ${user.id} and password is not distinct from ${user.password} and deactivated_at is null
    for key share
    returning sid`);
  if (rows.length === 0) return false;
  await endOldest(db, user.id);
  return true;
}

/** Ends the oldest sessions of an account that has too many. */
async function endOldest(db: Db, userId: number): Promise<void> {
  await db.execute(sql`
    delete from sessions where sid in (
      select sid from sessions where user_id = ${userId} order by created_at desc, sid offset ${sessionLimits.perAccount})`);
}

/** The person of a live session, and for how long it is one. */
export async function findSessionCaller(db: Db, sid: string): Promise<(Caller & { secondsLeft: number }) | undefined> {
  const [row] = await db
    .select({
      sid: sessions.sid,
      userId: users.id,
      isGuest: users.isGuest,
      isVerified: users.isVerified,
      isAdmin: users.isAdmin,
      countryCode: users.countryCode,
      secondsLeft: sql<number>`extract(epoch from ${sessions.expire} - now())::float8`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, sql`now()`), isNull(users.deactivatedAt)));
  return row;
}

export async function renewSession(db: Db, sid: string): Promise<void> {
  await db
    .update(sessions)
    .set({ expire: sql`now() + make_interval(secs => ${sessionLimits.userSeconds})` })
    .where(eq(sessions.sid, sid));
}

export async function deleteSession(db: Db, sid: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.sid, sid));
}

/** Ends every session of a user. */
export async function deleteUserSessions(db: Db, userId: number): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId));
}

/** Deletes sessions that ended long ago, `limit` at most; answers how many. */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: sessions,
    key: sessions.sid,
    where: lt(sessions.expire, sql`now() - make_interval(secs => ${retentionSeconds.sessions})`),
    limit,
  });
}
