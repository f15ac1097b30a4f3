import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';

/** Outgoing SMS. The body is deleted once the message is sent or given up, since it may hold a code. */
export const smsMessages = pgTable(
  'sms_messages',
  {
    id: id(),
    /** E.164. */
    recipient: text().notNull(),
    body: text(),
    kind: text({ enum: ['code', 'decision', 'alarm', 'test'] })
      .notNull()
      .default('code'),
    /** The flow whose code it carries. */
    flowId: uuid(),
    /** For a code: whether a known browser asked for it. */
    isKnownBrowser: boolean('is_trusted').notNull().default(false),
    /** For a code: keyed hashes of the caller's address and network, if these identify the caller. */
    sourceAddress: text(),
    sourceNetwork: text(),
    status: text({ enum: ['queued', 'sent', 'failed', 'expired'] })
      .notNull()
      .default('queued'),
    /** When its code was entered. Many codes that are never entered suggest SMS pumping. */
    convertedAt: at(),
    /** The message is not sent after this time. */
    dropAfter: at().notNull(),
    sentAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index('sms_messages_created').on(t.createdAt),
    index('sms_messages_flow').on(t.flowId),
    index('sms_messages_source').on(t.sourceNetwork, t.createdAt),
    index('sms_messages_queued').on(t.id).where(sql`${t.status} = 'queued'`),
    check('sms_messages_kind', sql`${t.kind} in ('code', 'decision', 'alarm', 'test')`),
    check('sms_messages_status', sql`${t.status} in ('queued', 'sent', 'failed', 'expired')`),
    check('sms_messages_wiped', sql`${t.status} = 'queued' or ${t.body} is null`),
  ],
);

/** The configured gateways with their last outcomes, shared by all processes. */
export const smsGateways = pgTable('sms_gateways', {
  name: text().primaryKey(),
  /** Its place in the settings, from 0. */
  position: integer().notNull(),
  /** Dial codes for which it is tried, such as '226,225'. */
  dialCodes: text().notNull(),
  lastSentAt: at(),
  lastFailedAt: at(),
  /** Its last failure, without a number or a text. */
  failure: text(),
  failuresInARow: integer().notNull().default(0),
});

/** The administrators' settings; one row. */
export const smsSettings = pgTable(
  'sms_settings',
  {
    id: boolean().primaryKey().default(true),
    perCountryAndDay: integer().notNull().default(500),
    /** Whether people get an SMS when their ticket is decided. */
    onDecision: boolean().notNull().default(false),
    updatedAt: updatedAt(),
  },
  (t) => [
    check('sms_settings_one', sql`${t.id}`),
    check('sms_settings_caps', sql`${t.perCountryAndDay} between 0 and 1000000`),
  ],
);
