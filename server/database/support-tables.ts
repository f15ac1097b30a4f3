import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt, id } from './columns.ts';

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

/** Append-only (a trigger refuses changes): who did what to the product, and which calls were refused. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    /** No foreign key: the record outlives the person. */
    actorId: integer(),
    action: text().notNull(),
    target: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    status: integer().notNull(),
    ip: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('audit_log_created').on(t.createdAt)],
);

/** Things done once in the life of a database, such as writing the starter catalogue. */
export const onceFlags = pgTable('once_flags', { name: text().primaryKey(), doneAt: createdAt() });

/** Counters of rate-limiter-flexible (its PostgreSQL store's own columns; `expire` in milliseconds). */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
});
