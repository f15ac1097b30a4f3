import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/notifications.ts';
import type { Db } from '#server/database/connect.ts';
import { answerCount } from '#server/http/call-headers.ts';
import { requireSelfOrAdmin } from '#server/http/guards.ts';
import { route } from '#server/http/route.ts';
import { countUnread, findNotification, listNotifications, markRead, type NotificationRow } from './store.ts';

const present = ({ id, userId, relatedTicketId, type, title, message, isRead, createdAt }: NotificationRow) =>
  ({
    id,
    userId,
    relatedTicketId,
    type,
    title,
    message,
    isRead,
    createdAt: createdAt.toISOString(),
  }) satisfies endpoints.Notification;

export function notificationRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(
    app,
    endpoints.listNotifications,
    async ({ params, query, caller, reply }) => {
      requireSelfOrAdmin(caller, params.userId);
      const { rows, count } = await listNotifications(db, params.userId, query);
      answerCount(reply, count);
      return rows.map(present);
    },
    { skipResponseEncoding: true },
  );

  route(
    app,
    endpoints.countUnread,
    async ({ params, caller }) => {
      requireSelfOrAdmin(caller, params.userId);
      return { count: await countUnread(db, params.userId) };
    },
    { skipResponseEncoding: true },
  );

  route(app, endpoints.readNotification, async ({ params, caller }) => {
    const found = await findNotification(db, params.id, caller.userId);
    if (!found) throw new Failure('NOTIFICATION_NOT_FOUND');
    return present(found);
  });

  route(app, endpoints.markNotificationRead, async ({ params, caller }) => {
    const read = await markRead(db, params.id, caller.userId);
    if (!read) throw new Failure('NOTIFICATION_NOT_FOUND');
    return present(read);
  });
}
