import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { type Count, countUpToCap } from '#server/database/rows.ts';
import { notifications } from './tables.ts';

export type NotificationRow = typeof notifications.$inferSelect;

/** Writes a notification, in the caller's transaction. */
export async function notify(tx: Db, row: Omit<NotificationRow, 'id' | 'isRead' | 'createdAt'>): Promise<void> {
  await tx.insert(notifications).values(row);
}

export async function countUnread(db: Db, userId: number): Promise<number> {
  return db.$count(notifications, and(eq(notifications.userId, userId), eq(notifications.isRead, false)));
}

/** A user's notifications, newest first, after the notification `before`, and how many there are in all. */
export async function listNotifications(
  db: Db,
  userId: number,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<{ rows: NotificationRow[]; count: Count }> {
  const isTheirs = eq(notifications.userId, userId);
  const page = db
    .select()
    .from(notifications)
    .where(and(isTheirs, before ? lt(notifications.id, before) : undefined))
    .orderBy(desc(notifications.id))
    .limit(limit)
    .prepare(before ? 'notifications-before' : 'notifications');
  const count = await countUpToCap(db, sql`select from ${notifications} where ${isTheirs}`, 'notification-count');
  return { rows: await page.execute(), count };
}

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
