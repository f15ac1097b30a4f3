import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { sourceKinds, sourceTroubles } from '#contract/payment-feed.ts';
import { lineStates, paymentDirections } from '#contract/payments.ts';
import { countryCodes } from '#contract/phone.ts';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';
import { plainReferenceOf } from '#server/database/plain-reference.ts';
import { paymentTypes } from '#server/features/payment-types/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** A wallet or merchant account that receives payments. */
export const paymentAccounts = pgTable(
  'payment_accounts',
  {
    id: id(),
    /** Null once the payment type is deleted; the account and its lines stay. */
    paymentTypeId: integer().references(() => paymentTypes.id, { onDelete: 'set null' }),
    /** The deleted payment type, set by a trigger, for closings. */
    formerPaymentTypeId: integer(),
    country: text({ enum: countryCodes }).notNull(),
    number: text().notNull(),
    label: text().notNull(),
    /** Senders that may send the operator's SMS, as messages show them. */
    allowedSenders: text().array().notNull().default(sql`'{}'`),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('payment_accounts_once').on(t.paymentTypeId, t.country, t.number)],
);

/** The account of a row; deleting it deletes the row. */
export const accountId = () =>
  integer()
    .notNull()
    .references(() => paymentAccounts.id, { onDelete: 'cascade' });

/** An address that a phone or a wallet's server sends to. Secrets of addresses are hashed; those of signatures are sealed. */
export const paymentSources = pgTable(
  'payment_sources',
  {
    id: id(),
    accountId: accountId(),
    kind: text({ enum: sourceKinds }).notNull(),
    /** Null of one of 1.0, which had none. */
    name: text(),
    secretHash: text().notNull(),
    signingSecret: text(),
    lastSeenAt: at(),
    /** The fault of its last call, until a call without it. */
    trouble: text({ enum: sourceTroubles }),
    troubleAt: at(),
    /** How far its clock is behind ours, if that is the fault. */
    clockMinutes: integer(),
    /** The SIM that receives the account's payments: the first that it named, until a person chooses. */
    sim: text(),
    isSimChosen: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    check('payment_sources_trouble', sql`${t.trouble} in ('signature', 'clock', 'text', 'sender')`),
    uniqueIndex('payment_sources_secret').on(t.secretHash),
    index('payment_sources_account').on(t.accountId),
  ],
);

/** Previous addresses and signing secrets of a source, while they are valid. */
export const previousAddresses = pgTable(
  'payment_previous_addresses',
  {
    secretHash: text().primaryKey(),
    sourceId: integer()
      .notNull()
      .references(() => paymentSources.id, { onDelete: 'cascade' }),
    signingSecret: text(),
    until: at().notNull(),
  },
  (t) => [index('payment_previous_addresses_source').on(t.sourceId)],
);

/** A message as it came. Its text is purged later; its line stays. */
export const paymentMessages = pgTable(
  'payment_messages',
  {
    id: id(),
    accountId: accountId(),
    sourceId: integer().references(() => paymentSources.id, { onDelete: 'set null' }),
    /** Hash of account and content, so that a message that comes twice is stored once. */
    contentHash: text().notNull(),
    sender: text(),
    /** The SIM of its source that received it, if known. */
    sim: text(),
    /** When it was sent by the phone's stamp, for messages without a time in the text. */
    sentAt: at(),
    state: text({ enum: ['parsed', 'ignored', 'unread', 'refused'] }).notNull(),
    /** Why it is no line, in French. */
    why: text(),
    parser: text(),
    /** Sealed; null once purged. */
    sealedText: text(),
    receivedAt: createdAt(),
  },
  (t) => [
    uniqueIndex('payment_messages_once').on(t.accountId, t.contentHash),
    index('payment_messages_received').on(t.receivedAt, t.id),
    index('payment_messages_source').on(t.sourceId, t.receivedAt),
    index('payment_messages_unread').on(t.id).where(sql`${t.state} in ('unread', 'refused')`),
    check('payment_messages_state', sql`${t.state} in ('parsed', 'ignored', 'unread', 'refused')`),
  ],
);

/** A shape of SMS that a shop taught, for a wallet in a country. */
export const paymentShapes = pgTable(
  'payment_shapes',
  {
    id: id(),
    /** Null once the payment type is deleted: it reads no more then. */
    paymentTypeId: integer().references(() => paymentTypes.id, { onDelete: 'set null' }),
    country: text({ enum: countryCodes }).notNull(),
    template: text().notNull(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** When it was deactivated. Lines that it has read keep its id. */
    removedAt: at(),
  },
  (t) => [
    uniqueIndex('payment_shapes_once').on(t.paymentTypeId, t.country, t.template).where(sql`${t.removedAt} is null`),
    index('payment_shapes_created_by').on(t.createdBy),
  ],
);

/** A statement that was imported and not undone. */
export const paymentImports = pgTable(
  'payment_imports',
  {
    id: id(),
    accountId: accountId(),
    fileName: text().notNull(),
    /** The model that read it, `<folder>/<name>@<version>`, and its operator. */
    model: text().notNull(),
    operator: text().notNull(),
    created: integer().notNull().default(0),
    completed: integer().notNull().default(0),
    /** Earlier imports with some of its lines. It must be undone before them. */
    over: integer().array().notNull().default(sql`'{}'`),
    importedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [index('payment_imports_account').on(t.accountId, t.id), index('payment_imports_by').on(t.importedBy)],
);

/** A movement of money on an account, from any input. It has no payer's name. */
export const paymentLines = pgTable(
  'payment_lines',
  {
    id: id(),
    accountId: accountId(),
    /** The operator's id with the direction; without an id, a hash of the known facts with a number among equals. */
    lineKey: text().notNull(),
    /** The key for inputs without the operator's id, of a line that has the id from another input. */
    namelessKey: text(),
    direction: text({ enum: paymentDirections }).notNull(),
    state: text({ enum: lineStates }).notNull(),
    /** CFA francs. */
    gross: integer().notNull(),
    /** Hundredths of a franc. */
    fee: bigint({ mode: 'number' }),
    balanceAfter: bigint({ mode: 'number' }),
    reference: text(),
    plainReference: plainReferenceOf('reference'),
    ourReference: integer(),
    /** E.164, or the last digits. */
    payer: text(),
    paidAt: at().notNull(),
    /** A bit for each input that reported it, in the order of `paymentInputs`. */
    seenIn: integer().notNull(),
    /**
     * Whether an input vouches for it: an SMS whose sender may send, a statement or a wallet's server. Balances are judged when they are
     * read.
     */
    senderMay: boolean('is_trusted').notNull().default(false),
    isIgnored: boolean().notNull().default(false),
    /** Whether it has a match that is not undone. A trigger sets it, for the index of open lines. */
    isMatched: boolean().notNull().default(false),
    /** CFA francs that the operator took back: all of a reversed line, or a part. */
    takenBack: integer(),
    /** What is odd about it, in French. */
    anomaly: text(),
    /** The taught shape that read it; null for every other input. */
    shapeId: integer().references(() => paymentShapes.id),
    /** The last import that created or completed it. It has no foreign key, which would add a second to an import of 100,000 rows. */
    importId: integer(),
    /** Its columns without that import, nulls left out, if other inputs have the line too. */
    beforeImport: jsonb(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('payment_lines_shape').on(t.shapeId, t.id).where(sql`${t.shapeId} is not null`),
    uniqueIndex('payment_lines_once').on(t.accountId, t.lineKey),
    index('payment_lines_paid').on(t.paidAt, t.id),
    index('payment_lines_account').on(t.accountId, t.paidAt, t.id),
    uniqueIndex('payment_lines_nameless_once').on(t.accountId, t.namelessKey).where(sql`${t.namelessKey} is not null`),
    index('payment_lines_nameless').on(t.accountId, t.paidAt).where(sql`${t.plainReference} is null`),
    index('payment_lines_balance').on(t.accountId, t.balanceAfter).where(sql`${t.balanceAfter} is not null`),
    index('payment_lines_reference').on(t.plainReference).where(sql`${t.plainReference} is not null`),
    index('payment_lines_our_reference').on(t.ourReference).where(sql`${t.ourReference} is not null`),
    index('payment_lines_payer').on(t.payer, t.gross, t.paidAt).where(sql`${t.payer} is not null`),
    index('payment_lines_gross').on(t.gross, t.paidAt),
    index('payment_lines_reversal').on(t.accountId, t.plainReference).where(sql`${t.direction} = 'reversal'`),
    index('payment_lines_import').on(t.importId).where(sql`${t.importId} is not null`),
    index('payment_lines_open')
      .on(t.paidAt, t.id)
      .where(
        sql`${t.direction} = 'in' and ${t.state} in ('announced', 'settled') and not ${t.isIgnored} and not ${t.isMatched}`,
      ),
    index('payment_lines_unconfirmed')
      .on(t.accountId, t.createdAt)
      .where(
        sql`${t.direction} = 'in' and ${t.state} = 'announced' and ${t.balanceAfter} is not null and not ${t.isIgnored} and not ${t.isMatched}`,
      ),
    check('payment_lines_gross_positive', sql`${t.gross} >= 0`),
    check('payment_lines_direction', sql`${t.direction} in ('in', 'out', 'fee', 'reversal')`),
    check('payment_lines_state', sql`${t.state} in ('announced', 'settled', 'failed', 'reversed')`),
  ],
);
