import type { Notification } from '#contract/notifications.ts';
import type { Db } from '#server/database/connect.ts';
import { jsonPagesOf } from '#server/database/counted-page.ts';
import type { RawJson } from '#server/database/raw-json.ts';
import type { ListCount } from '#server/http/list-count.ts';
import { notifications } from './tables.ts';

const readPage = jsonPagesOf<Notification>(notifications, 'user_id', {
  id: true,
  userId: true,
  title: true,
  message: true,
  type: true,
  isRead: true,
  relatedTicketId: true,
  createdAt: true,
});

/** A user's notifications, newest first, and how many there are in all. */
export async function listNotifications(
  db: Db,
  { userId, ...page }: { userId: number; limit: number; before?: number | undefined },
): Promise<{ rows: RawJson<Notification[]>; count: ListCount }> {
  return readPage(db, userId, page);
}
