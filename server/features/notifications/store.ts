import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { countUpToCap } from '#server/database/count-up-to-cap.ts';
import type { ListCount } from '#server/http/list-count.ts';
import { notifications } from './tables.ts';

export type NotificationRow = typeof notifications.$inferSelect;

/** Writes a notification in the caller's transaction. */
export async function notify(
  db: Db,
  notification: Pick<NotificationRow, 'userId' | 'title' | 'message' | 'type' | 'relatedTicketId'>,
): Promise<void> {
  await db.insert(notifications).values(notification);
}

/** A user's notifications, newest first, and how many there are in all. */
export async function listNotifications(
  db: Db,
  query: { userId: number; limit: number; before?: number | undefined },
): Promise<{ rows: NotificationRow[]; count: ListCount }> {
  const theirs = eq(notifications.userId, query.userId);
  const rows = await db
    .select()
    .from(notifications)
    .where(and(theirs, query.before ? lt(notifications.id, query.before) : undefined))
    .orderBy(desc(notifications.id))
    .limit(query.limit);
  return { rows, count: await countUpToCap(db, sql`select 1 from ${notifications} where ${theirs}`) };
}

export async function countUnread(db: Db, userId: number): Promise<number> {
  return db.$count(notifications, and(eq(notifications.userId, userId), eq(notifications.isRead, false)));
}

/** A notification of this user; somebody else's is as good as none. */
export async function findNotification(db: Db, id: number, userId: number): Promise<NotificationRow | undefined> {
  const [row] = await db
    .select()
    .from(notifications)
    .where(and(eq(notifications.id, id), eq(notifications.userId, userId)));
  return row;
}

/** Marks a notification of this user read; `undefined` when they have none of that id. */
export async function markRead(db: Db, id: number, userId: number): Promise<NotificationRow | undefined> {
  await db
    .update(notifications)
    .set({ isRead: true })
    .where(and(eq(notifications.id, id), eq(notifications.userId, userId), eq(notifications.isRead, false)));
  return findNotification(db, id, userId);
}
