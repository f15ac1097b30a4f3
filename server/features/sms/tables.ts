import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';

/** Outgoing SMS. The body is wiped once it is sent or given up: it may hold a code. */
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
    /** Of a code: whether a browser asked for it that its account knows. */
    isKnownBrowser: boolean('is_trusted').notNull().default(false),
    /** Of a code: keyed hashes of the address that asked for it and of its network, where these say anything. */
    sourceAddress: text(),
    sourceNetwork: text(),
    status: text({ enum: ['queued', 'sent', 'failed', 'expired'] })
      .notNull()
      .default('queued'),
    /** When its code was entered; messages whose codes never are suggest SMS pumping. */
    convertedAt: at(),
    /** After this the message is worth nothing and is not sent. */
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

/** The gateways that are set, and what each last did, as all processes together know it. */
export const smsGateways = pgTable('sms_gateways', {
  name: text().primaryKey(),
  /** Its place in the settings, from 0. */
  position: integer().notNull(),
  /** Dial codes that it is tried for, such as '226,225'. */
  dialCodes: text().notNull(),
  lastSentAt: at(),
  lastFailedAt: at(),
  /** In words without a number or a text. */
  failure: text(),
  failuresInARow: integer().notNull().default(0),
});

/** What administrators set; one row. */
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
