import * as z from 'zod/mini';
import { endpoint, id, idInPath, idParams, instant, listQuery } from './endpoint.ts';

export const notificationTypes = ['success', 'error', 'warning', 'info'] as const;

export const notification = z.object({
  id,
  userId: id,
  title: z.string(),
  message: z.string(),
  isRead: z.boolean(),
  type: z.enum(notificationTypes),
  relatedTicketId: z.nullable(id),
  createdAt: instant,
});
export type Notification = z.output<typeof notification>;

const ofUser = z.object({ userId: idInPath });

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications/user/:userId',
  caller: 'verified',
  summary: "A user's own notifications, newest first.",
  params: ofUser,
  query: z.object(listQuery),
  response: z.array(notification),
});

export const countUnread = endpoint({
  method: 'GET',
  path: '/api/notifications/user/:userId/unread-count',
  caller: 'verified',
  summary: 'How many notifications a user has not read.',
  params: ofUser,
  response: z.object({ count: z.number() }),
});

export const readNotification = endpoint({
  method: 'GET',
  path: '/api/notifications/:id',
  caller: 'verified',
  summary: 'One notification; somebody else’s does not exist.',
  params: idParams,
  response: notification,
});

export const markNotificationRead = endpoint({
  method: 'PATCH',
  path: '/api/notifications/:id/read',
  caller: 'verified',
  summary: 'Marks a notification read.',
  params: idParams,
  response: notification,
});
