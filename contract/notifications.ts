import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, count, id, idInPath, idParams, instant, listQuery, words } from './shapes.ts';

export const notificationTypes = ['success', 'error', 'warning', 'info'] as const;

export const notification = component(
  'Notification',
  z.object({
    id,
    userId: id,
    title: words(),
    message: words(),
    isRead: z.boolean(),
    type: component('NotificationType', z.enum(notificationTypes)),
    relatedTicketId: z.nullable(id),
    createdAt: instant,
  }),
);
export type Notification = z.output<typeof notification>;

const ofUser = z.object({ userId: idInPath });

export const listNotifications = endpoint('listNotifications', 'GET', '/api/notifications/user/:userId', {
  access: 'verified',
  summary: "A user's own notifications, newest first.",
  params: ofUser,
  query: z.object(listQuery),
  response: z.array(notification),
  counted: true,
  failures: ['FORBIDDEN'],
  topics: ['user:{userId}:notifications'],
});

export const countUnread = endpoint('countUnread', 'GET', '/api/notifications/user/:userId/unread-count', {
  access: 'verified',
  summary: 'How many notifications a user has not read.',
  params: ofUser,
  response: z.object({ count }),
  failures: ['FORBIDDEN'],
  topics: ['user:{userId}:notifications'],
});

export const readNotification = endpoint('readNotification', 'GET', '/api/notifications/:id', {
  access: 'verified',
  summary: "One notification; another person's does not exist.",
  params: idParams,
  response: notification,
  failures: ['NOTIFICATION_NOT_FOUND'],
  topics: ['user:{callerId}:notifications'],
});

export const markNotificationRead = endpoint('markNotificationRead', 'PATCH', '/api/notifications/:id/read', {
  access: 'verified',
  summary: 'Marks a notification read.',
  params: idParams,
  response: notification,
  failures: ['NOTIFICATION_NOT_FOUND'],
});
