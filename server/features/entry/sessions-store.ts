import { eq } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { prepare, sql } from '#server/database/rows.ts';
import { deleteBatch, isOlderThan } from '#server/database/store.ts';
import type { Caller } from '#server/http/guards.ts';
import { retentionSeconds, sessionLimits } from './limits.ts';
import { sessions } from './sessions-tables.ts';

/** The person for whom a session is opened, as they were at the proof of identity. */
export interface Proven {
  id: number;
  isAdmin: boolean;
  /** The hash that their password matched; a guest has none. */
  password: string | null;
}

interface SessionCaller extends Caller {
  secondsLeft: number;
}

/**
 * Opens a session in place of another one; `undefined` if the account was closed, deleted or got another password meanwhile. The row's
 * lock makes a later reset or change of role end this session too.
 */
export async function createSession(
  db: Db,
  { sid, previous, user }: { sid: string; previous: string | undefined; user: Proven },
): Promise<Caller | undefined> {
  const opened = await db.transaction(async (tx) => {
    await deleteSession(tx, previous ?? '');
    // The role is read from the row: it may have changed since the proof of identity.
    await tx.execute(sql`
      insert into sessions (sid, user_id, expire)
      select ${sid}, id, now() + make_interval(secs => case
        when is_admin then ${sessionLimits.adminSeconds}::int else ${sessionLimits.userSeconds} end) from users
      where id = ${user.id} and password is not distinct from ${user.password} and deactivated_at is null
      for key share`);
    // The oldest sessions beyond the limit per account.
    await tx.execute(sql`
      delete from sessions where sid in (
        select sid from sessions where user_id = ${user.id} order by created_at desc, sid offset ${sessionLimits.perAccount})`);
    return findSessionCaller(tx, sid);
  });
  if (!opened) return undefined;
  const { secondsLeft: _, ...caller } = opened;
  return caller;
}

const readCaller = prepare<SessionCaller, { sid: string }>(
  () => sql`
    select s.sid, u.id as "userId", u.is_guest as "isGuest", u.is_verified as "isVerified", u.is_admin as "isAdmin",
           u.country_code as "countryCode", extract(epoch from s.expire - now())::float8 as "secondsLeft"
    from sessions s join users u on u.id = s.user_id
    where s.sid = ${sql.placeholder('sid')} and s.expire > now() and u.deactivated_at is null`,
);

/** The person of a live session, and the time it has left. */
export async function findSessionCaller(db: Db, sid: string): Promise<SessionCaller | undefined> {
  const [row] = await readCaller(db, { sid });
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

export async function deleteUserSessions(db: Db, userId: number): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId));
}

/** Deletes sessions that ended long ago, `limit` at most; answers how many. */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  const where = isOlderThan(sessions.expire, retentionSeconds.sessions);
  return deleteBatch(db, { table: sessions, key: sessions.sid, where, limit });
}
