import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id } from '#server/database/columns.ts';
import { ofUser } from '#server/features/users/tables.ts';

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: ofUser(),
    title: text().notNull(),
    message: text().notNull(),
    isRead: boolean().notNull().default(false),
    type: text({ enum: ['success', 'error', 'warning', 'info'] })
      .notNull()
      .default('info'),
    /** Its foreign key is of the hand-written migrations: the tickets' table belongs to a later slice. */
    relatedTicketId: integer(),
    createdAt: createdAt(),
  },
  (t) => [
    index('notifications_user').on(t.userId, t.id),
    index('notifications_unread').on(t.userId).where(sql`not ${t.isRead}`),
    index('notifications_ticket').on(t.relatedTicketId),
    check('notifications_type', sql`${t.type} in ('success', 'error', 'warning', 'info')`),
  ],
);
