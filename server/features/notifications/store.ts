import { and, eq } from 'drizzle-orm';
import { notification } from '#contract/notifications.ts';
import type { Db } from '#server/database/connect.ts';
import { jsonPagesOf } from '#server/database/counted-page.ts';
import { int } from '#server/database/row-kinds.ts';
import { none, type Query, statement } from '#server/database/statement.ts';
import { notifications } from './tables.ts';

export type NotificationRow = typeof notifications.$inferSelect;

const insertion = statement(none)(`
  insert into notifications (user_id, related_ticket_id, type, title, message) values ($1, $2, $3, $4, $5)`);

/** Writes a notification, in the caller's transaction. */
export function notify(row: Omit<NotificationRow, 'id' | 'isRead' | 'createdAt'>): Query<never> {
  return insertion(row.userId, row.relatedTicketId, row.type, row.title, row.message);
}

const unread = statement(
  { count: int },
  { isQuick: true },
)('select count(*)::int as count from notifications where user_id = $1 and not is_read');

export async function countUnread(db: Db, userId: number): Promise<number> {
  const [[row]] = await db.ask(unread(userId));
  return row?.count ?? 0;
}

/** A user's notifications, newest first, and how many there are in all. */
export const listNotifications = jsonPagesOf(notifications, 'user_id', notification);

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
