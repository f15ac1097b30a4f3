import { and, eq } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { prepare, prepareOwnList, sql } from '#server/database/rows.ts';
import { notifications } from './tables.ts';

export type NotificationRow = typeof notifications.$inferSelect;

/** Writes a notification, in the caller's transaction. */
export async function notify(tx: Db, row: Omit<NotificationRow, 'id' | 'isRead' | 'createdAt'>): Promise<void> {
  await tx.insert(notifications).values(row);
}

const readUnread = prepare<{ count: number }, { userId: number }>(
  () =>
    sql`select count(*)::int as count from notifications where user_id = ${sql.placeholder('userId')} and not is_read`,
);

export async function countUnread(db: Db, userId: number): Promise<number> {
  const [found] = await readUnread(db, { userId });
  return found?.count ?? 0;
}

/** A user's notifications, newest first, after the notification `before`, and how many there are in all. */
export const listNotifications = prepareOwnList<NotificationRow>(notifications);

/** A notification of this user; another user's counts as none. */
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
