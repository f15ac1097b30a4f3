import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { sessions, users } from '#server/database/tables.ts';
import type { Visitor } from '#server/http/guards.ts';

/** A user's session lives 30 days after its last use; an administrator's 12 hours, used or not. In seconds. */
export const sessionLifetime = { user: 30 * 24 * 3600, admin: 12 * 3600 };

export async function createSession(db: Db, session: { sid: string; userId: number; isAdmin: boolean }): Promise<void> {
  const lifetime = session.isAdmin ? sessionLifetime.admin : sessionLifetime.user;
  await db.insert(sessions).values({
    sid: session.sid,
    userId: session.userId,
    expire: sql`now() + make_interval(secs => ${lifetime})`,
  });
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

/** Deletes sessions that ended over 7 days ago; until then a guest's tells when the guest was last here. */
export async function deleteOldSessions(db: Db): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expire, sql`now() - interval '7 days'`));
}
