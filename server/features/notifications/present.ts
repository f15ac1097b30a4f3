import type { Notification } from '#contract/notifications.ts';
import type { NotificationRow } from './store.ts';

export function presentNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    userId: row.userId,
    title: row.title,
    message: row.message,
    isRead: row.isRead,
    type: row.type,
    relatedTicketId: row.relatedTicketId,
    createdAt: row.createdAt.toISOString(),
  };
}
