import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { codeProblems } from '#contract/dialling.ts';
import type { PathStep } from '#contract/tickets.ts';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';
import { plainReferenceOf } from '#server/database/plain-reference.ts';
import { services } from '#server/features/catalogue/tables.ts';
import { dialTemplates, paymentTypes } from '#server/features/payment-types/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** A ticket keeps what was agreed in its row: path, amounts and dial code outlive the service, the payment type and the user. */
export const tickets = pgTable(
  'tickets',
  {
    id: id(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The country of a deleted user, and the deleted payment type. A trigger sets both, for closings. */
    formerCountry: text(),
    formerPaymentTypeId: integer(),
    serviceId: integer().references(() => services.id, { onDelete: 'set null' }),
    status: text({ enum: ['pending', 'approved', 'rejected'] })
      .notNull()
      .default('pending'),
    numberOfBeneficiaries: integer().notNull().default(1),
    paymentTypeId: integer().references(() => paymentTypes.id, { onDelete: 'set null' }),
    paymentTypeName: text().notNull(),
    amount: integer().notNull(),
    commission: integer().notNull(),
    totalPrice: text().notNull(),
    servicePath: jsonb().$type<PathStep[]>().notNull(),
    beneficiaryPhoneNumber: text().notNull(),
    dialCode: text(),
    /** The operator whose SIM dials the code. */
    dialOperator: text(),
    /** The payment type's template of the code; null for the service's own code. The template may have been deleted. */
    dialTemplateId: integer(),
    codeReportedAt: at(),
    rejectReason: text(),
    /** The user's declared payment reference, in capitals and without spaces. */
    paymentReference: text(),
    plainReference: plainReferenceOf('payment_reference'),
    /** Replaced references, the oldest first. */
    earlierReferences: text().array().notNull().default(sql`'{}'`),
    /** When the user first declared the payment. */
    paymentDeclaredAt: at(),
    /** The user's declared payer's number, in E.164. */
    payerPhone: text(),
    /** When the user was last reminded that no payment was found. */
    payerRemindedAt: at(),
    idempotencyKey: text(),
    /** SHA-256 of the order, which distinguishes a repeated order from another one under the same key. */
    fingerprint: text().notNull(),
    /** The row of `ticket_paths` with the names of its path; set by a trigger, and null for a moment. */
    pathId: integer(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('tickets_key_once').on(t.userId, t.idempotencyKey).where(sql`${t.idempotencyKey} is not null`),
    index('tickets_user').on(t.userId, t.id),
    index('tickets_filed').on(t.createdAt, t.id),
    index('tickets_status_filed').on(t.status, t.createdAt, t.id),
    index('tickets_path_filed').on(t.pathId, t.createdAt, t.id),
    index('tickets_status_path_filed').on(t.status, t.pathId, t.createdAt, t.id),
    index('tickets_plain_reference').on(t.plainReference).where(sql`${t.plainReference} is not null`),
    // By trigrams: people read out a part of a reference, often its end.
    index('tickets_reference_parts')
      .using('gin', sql`${t.plainReference} gin_trgm_ops`)
      .where(sql`${t.plainReference} is not null`),
    index('tickets_total_filed').on(t.totalPrice, t.createdAt, t.id),
    // For matching: the tickets that a line may pay.
    index('tickets_pending_total').on(t.totalPrice, t.createdAt).where(sql`${t.status} = 'pending'`),
    index('tickets_payer')
      .on(t.payerPhone, t.totalPrice, t.status, t.createdAt)
      .where(sql`${t.payerPhone} is not null`),
    index('tickets_user_total').on(t.userId, t.totalPrice, t.status, t.createdAt),
    index('tickets_pending_declared')
      .on(t.paymentDeclaredAt)
      .where(sql`${t.status} = 'pending' and ${t.paymentDeclaredAt} is not null`),
    // Reversed, since people search by the end of a number, and without its country.
    index('tickets_beneficiary_ending').on(sql`reverse(${t.beneficiaryPhoneNumber}) text_pattern_ops`),
    index('tickets_service').on(t.serviceId),
    index('tickets_payment_type').on(t.paymentTypeId),
    check('tickets_status_known', sql`${t.status} in ('pending', 'approved', 'rejected')`),
    check('tickets_money', sql`${t.amount} >= 0 and ${t.commission} >= 0`),
    check('tickets_total', sql`${t.totalPrice} = (${t.amount} + ${t.commission})::text`),
    check('tickets_beneficiaries', sql`${t.numberOfBeneficiaries} >= 1`),
    check(
      'tickets_payment_reference_form',
      sql`${t.paymentReference} is null or (${t.paymentReference} ~ '^[A-Z0-9._/-]{1,40}$' and ${t.paymentDeclaredAt} is not null)`,
    ),
    check(
      'tickets_path',
      sql`jsonb_typeof(${t.servicePath}) = 'array' and jsonb_array_length(${t.servicePath}) between 1 and 5`,
    ),
  ],
);

/** Each distinct path of services with tickets, which a search reads instead of every ticket. */
export const ticketPaths = pgTable('ticket_paths', {
  id: id(),
  /** The names from the root to the final service, one per line, folded by `fold_text`. */
  folded: text().notNull().unique(),
});

/** Every status of a ticket since its creation, with its actor. */
export const ticketEvents = pgTable(
  'ticket_events',
  {
    id: id(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    status: text({ enum: ['pending', 'approved', 'rejected'] }).notNull(),
    reason: text(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('ticket_events_ticket').on(t.ticketId, t.id),
    index('ticket_events_actor').on(t.actorId),
    // For a day's closing: the tickets approved on it.
    index('ticket_events_approved').on(t.createdAt).where(sql`${t.status} = 'approved'`),
    check('ticket_events_status', sql`${t.status} in ('pending', 'approved', 'rejected')`),
  ],
);

/** A user's report of a ticket's code: that of a payment type's template, a service's, or one changed since. */
export const codeReports = pgTable(
  'code_reports',
  {
    ticketId: integer()
      .primaryKey()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    dialTemplateId: integer().references(() => dialTemplates.id, { onDelete: 'cascade' }),
    serviceId: integer().references(() => services.id, { onDelete: 'cascade' }),
    reason: text({ enum: codeProblems }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('code_reports_template').on(t.dialTemplateId, t.createdAt),
    index('code_reports_service').on(t.serviceId, t.createdAt),
    check('code_reports_reason', sql`${t.reason} in ('no-answer', 'invalid-code', 'amount-refused', 'other')`),
  ],
);
