import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';

/** Outgoing SMS. The body is wiped once it is sent or given up: it may hold a code. */
export const smsMessages = pgTable(
  'sms_messages',
  {
    id: id(),
    recipient: text().notNull(),
    body: text(),
    kind: text({ enum: ['code', 'decision', 'alarm', 'test'] })
      .notNull()
      .default('code'),
    /** Our name for the message at gateways; receipts carry it. */
    reference: uuid().notNull().defaultRandom(),
    /** The flow whose code it carries: its browser may ask what became of the message. */
    flowId: uuid(),
    /** Of a code: whether it goes to a verified number, or to a browser that signed in before. */
    isTrusted: boolean().notNull().default(false),
    /** Of a code: keyed hashes of the address that asked for it and of its network, where these say anything. */
    sourceAddress: text(),
    sourceNetwork: text(),
    status: text({ enum: ['queued', 'sent', 'failed', 'expired'] })
      .notNull()
      .default('queued'),
    provider: text(),
    /** The job of the queue that sends it, once it was put off: any other is one that a dead process left behind. */
    jobId: bigint({ mode: 'number' }),
    /** The gateways that may have taken it and did not say so; one is added before it is called. */
    doubtful: text().array().notNull().default([]),
    /** The name that the gateway gave the message. */
    gatewayId: text(),
    /** Why the last attempt failed, in words without a number or a text. */
    failure: text(),
    /** The gateway's receipt, if it sends any. */
    delivery: text({ enum: ['delivered', 'undelivered'] }),
    deliveredAt: at(),
    /** When its code was entered; messages whose codes never are suggest SMS pumping. */
    convertedAt: at(),
    attempts: integer().notNull().default(0),
    /** After this the message is worth nothing and is not sent. */
    dropAfter: at().notNull(),
    sentAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index('sms_messages_created').on(t.createdAt),
    index('sms_messages_flow').on(t.flowId),
    index('sms_messages_source').on(t.sourceNetwork, t.createdAt),
    uniqueIndex('sms_messages_reference').on(t.reference),
    index('sms_messages_gateway').on(t.provider, t.gatewayId),
    index('sms_messages_queued').on(t.id).where(sql`${t.status} = 'queued'`),
    check('sms_messages_kind', sql`${t.kind} in ('code', 'decision', 'alarm', 'test')`),
    check('sms_messages_delivery', sql`${t.delivery} in ('delivered', 'undelivered')`),
    check('sms_messages_status', sql`${t.status} in ('queued', 'sent', 'failed', 'expired')`),
    check('sms_messages_wiped', sql`${t.status} = 'queued' or ${t.body} is null`),
  ],
);

/** How many messages were queued on a day (UTC), of a dial code such as '226', or of 'all': what the caps count. Of which how many of each class. */
export const smsDays = pgTable(
  'sms_days',
  {
    day: date().notNull(),
    dialCode: text().notNull(),
    queued: integer().notNull(),
    signup: integer().notNull().default(0),
    trusted: integer().notNull().default(0),
    decision: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.dialCode] })],
);

/** What each gateway last did, as all processes together know it. */
export const smsGateways = pgTable('sms_gateways', {
  name: text().primaryKey(),
  /** Its place among those that are set, from 0; null for one that no longer is. */
  position: integer(),
  /** Dial codes that it serves, such as '226,225'. */
  dialCodes: text().notNull(),
  lastSentAt: at(),
  lastFailedAt: at(),
  /** In words without a number or a text. */
  failure: text(),
  failuresInARow: integer().notNull().default(0),
  /** Calls in a row whose outcome says nothing of their message: from some on it is called less and less often. */
  unansweredInARow: integer().notNull().default(0),
  /** Before this no message is given to it: its rate, or a pause. */
  nextAt: at(),
  /** Messages tried and failed of late, at `recentAt`: both halve with each `smsLimits.recentHalfSeconds`. */
  recentTried: real().notNull().default(0),
  recentFailed: real().notNull().default(0),
  recentAt: at(),
  /** Messages still paid for, where the gateway tells. */
  balance: integer(),
  balanceAt: at(),
  /** Why the balance could not be read the last time, in words; null where it could. */
  balanceFailure: text(),
});

/** What administrators set; one row. */
export const smsSettings = pgTable(
  'sms_settings',
  {
    id: boolean().primaryKey().default(true),
    perDay: integer().notNull().default(500),
    perCountryAndDay: integer().notNull().default(100),
    /** Whether people get an SMS when their ticket is decided. */
    onDecision: boolean().notNull().default(false),
    updatedAt: updatedAt(),
  },
  (t) => [
    check('sms_settings_one', sql`${t.id}`),
    check('sms_settings_caps', sql`${t.perDay} between 0 and 1000000 and ${t.perCountryAndDay} between 0 and 1000000`),
  ],
);
