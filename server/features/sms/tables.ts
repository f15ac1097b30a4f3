import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt, id } from '#server/database/columns.ts';

/** Outgoing SMS. The body is wiped once it is sent or given up: it may hold a code. */
export const smsMessages = pgTable(
  'sms_messages',
  {
    id: id(),
    recipient: text().notNull(),
    body: text(),
    status: text({ enum: ['queued', 'sent', 'failed', 'expired'] })
      .notNull()
      .default('queued'),
    provider: text(),
    attempts: integer().notNull().default(0),
    /** After this the message is worth nothing and is not sent. */
    dropAfter: at().notNull(),
    sentAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index('sms_messages_created').on(t.createdAt),
    check('sms_messages_status', sql`${t.status} in ('queued', 'sent', 'failed', 'expired')`),
    check('sms_messages_wiped', sql`${t.status} = 'queued' or ${t.body} is null`),
  ],
);
