import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { sourceKinds, sourceTroubles } from '#contract/payment-feed.ts';
import { lineStates, matchRules, paymentDirections } from '#contract/payments.ts';
import { countryCodes } from '#contract/phone.ts';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';
import { plainReferenceOf } from '#server/database/plain-reference.ts';
import { paymentTypes } from '#server/features/payment-types/tables.ts';
import { tickets } from '#server/features/tickets/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** A wallet or merchant account that payments come in on. */
export const paymentAccounts = pgTable(
  'payment_accounts',
  {
    id: id(),
    /** Null once the payment type is deleted: what came in stays. */
    paymentTypeId: integer().references(() => paymentTypes.id, { onDelete: 'set null' }),
    /** Which one that was: a trigger keeps it, for closings. */
    formerPaymentTypeId: integer(),
    country: text({ enum: countryCodes }).notNull(),
    number: text().notNull(),
    label: text().notNull(),
    /** Names of senders of the operator's SMS, as its messages show them. */
    allowedSenders: text().array().notNull().default(sql`'{}'`),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('payment_accounts_once').on(t.paymentTypeId, t.country, t.number)],
);

/** The account of a row, which goes with it. */
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
    secretHash: text().notNull(),
    signingSecret: text(),
    lastSeenAt: at(),
    /** What was wrong with its last call, until one without that. */
    trouble: text({ enum: sourceTroubles }),
    troubleAt: at(),
    /** How far its clock is behind ours, where that is the trouble. */
    clockMinutes: integer(),
    /** The SIM whose messages are the account's: the first one that it told of, until a person chooses. */
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

/** What a source's address and signature were before each rotation, as long as they hold. */
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

/** A message as it came, until it is purged: what it says stands in its line. */
export const paymentMessages = pgTable(
  'payment_messages',
  {
    id: id(),
    accountId: accountId(),
    sourceId: integer().references(() => paymentSources.id, { onDelete: 'set null' }),
    /** Of account and content: the same message by two ways is one. */
    contentHash: text().notNull(),
    sender: text(),
    /** Which SIM of its source it came to, where that is told. */
    sim: text(),
    /** When the phone says that it was sent, for messages that tell no time. */
    sentAt: at(),
    state: text({ enum: ['parsed', 'ignored', 'unread', 'refused'] }).notNull(),
    /** Why it is no payment, or who may not send, in French. */
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
    /** From when on it reads no more: what it read still says by which shape. */
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
    /** Of the statement: `<folder>/<name>@<version>`, and its operator. */
    model: text().notNull(),
    operator: text().notNull(),
    created: integer().notNull().default(0),
    completed: integer().notNull().default(0),
    /** Earlier imports that tell of some of its lines: it is undone before them. */
    over: integer().array().notNull().default(sql`'{}'`),
    importedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [index('payment_imports_account').on(t.accountId, t.id), index('payment_imports_by').on(t.importedBy)],
);

/** A movement of money on an account, whatever told of it. No name of a payer. */
export const paymentLines = pgTable(
  'payment_lines',
  {
    id: id(),
    accountId: accountId(),
    /** The operator's id with the direction; where there is none, a hash of what is known with a number among equals. */
    lineKey: text().notNull(),
    /** The key by which an input without the operator's id names it, where another one has the id. */
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
    /** A bit for each input that told of it, in the order of `paymentInputs`. */
    seenIn: integer().notNull(),
    /** Of an SMS: whether its sender may send, and its balance follows from the line before. */
    isTrusted: boolean().notNull().default(false),
    isIgnored: boolean().notNull().default(false),
    /** Whether it has a match that is not undone; a trigger keeps it, for the index of the open lines. */
    isMatched: boolean().notNull().default(false),
    /** CFA francs that the operator took back of it: all, of one that is reversed, or a part. */
    takenBack: integer(),
    /** What is odd about it, in French. */
    anomaly: text(),
    /** Which taught shape read it; null where a built-in pattern, a statement, a server or a person told of it. */
    shapeId: integer().references(() => paymentShapes.id),
    /** The last import that created or completed it. Without a foreign key, which costs an import of 100,000 rows a second. */
    importId: integer(),
    /** Of a line that others tell too: its columns without that import, those that are null left out. */
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
    check('payment_lines_gross_positive', sql`${t.gross} >= 0`),
    check('payment_lines_direction', sql`${t.direction} in ('in', 'out', 'fee', 'reversal')`),
    check('payment_lines_state', sql`${t.state} in ('announced', 'settled', 'failed', 'reversed')`),
  ],
);

/** Which line pays which ticket, by whom it was said. */
export const paymentMatches = pgTable(
  'payment_matches',
  {
    id: id(),
    lineId: integer()
      .notNull()
      .references(() => paymentLines.id, { onDelete: 'cascade' }),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    rule: text({ enum: matchRules }).notNull(),
    evidence: jsonb().$type<string[]>().notNull(),
    decidedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    decidedAt: createdAt(),
    undoneBy: integer().references(() => users.id, { onDelete: 'set null' }),
    undoneAt: at(),
  },
  (t) => [
    uniqueIndex('payment_matches_line').on(t.lineId).where(sql`${t.undoneAt} is null`),
    uniqueIndex('payment_matches_ticket').on(t.ticketId).where(sql`${t.undoneAt} is null`),
    // A line that is deleted looks for its matches, undone ones too.
    index('payment_matches_of_line').on(t.lineId),
    index('payment_matches_decided_by').on(t.decidedBy),
    index('payment_matches_undone_by').on(t.undoneBy),
    check('payment_matches_rule', sql`${t.rule} in ('R0', 'R1', 'R2', 'R2b', 'R3', 'R4', 'person')`),
  ],
);
