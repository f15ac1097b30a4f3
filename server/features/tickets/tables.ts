import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { PathStep } from '#contract/tickets.ts';
import { at, createdAt, id, updatedAt } from '#server/database/columns.ts';
import { plainReferenceOf } from '#server/database/plain-reference.ts';
import { services } from '#server/features/catalogue/tables.ts';
import { paymentTypes } from '#server/features/payment-types/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** What was agreed stands in the row itself: path, integers and dial code outlive the service, the payment type and the user. */
export const tickets = pgTable(
  'tickets',
  {
    id: id(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The country of its person once their account is deleted, and its payment type once that is: a trigger keeps both, for closings. */
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
    /** The operator whose SIM knows the code. */
    dialOperator: text(),
    /** The payment type's template that the code was made from; of the service's own code none. The row may be gone. */
    dialTemplateId: integer(),
    codeReportedAt: at(),
    rejectReason: text(),
    /** The transaction that the user says they paid by, in capitals and without spaces. */
    paymentReference: text(),
    plainReference: plainReferenceOf('payment_reference'),
    /** What the user said before, the first first: references that another one replaced. */
    earlierReferences: text().array().notNull().default(sql`'{}'`),
    /** When the user first said so. */
    paymentDeclaredAt: at(),
    /** The number that the user says they paid from, in E.164. */
    payerPhone: text(),
    /** When the user was last told that no payment was found. */
    payerRemindedAt: at(),
    idempotencyKey: text(),
    /** SHA-256 of the order, to tell a repeated one from another under the same key. */
    fingerprint: text().notNull(),
    /** The row of `ticket_paths` with the names of its path; a trigger keeps it, also where it is null for a while. */
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
    index('tickets_total_filed').on(t.totalPrice, t.createdAt, t.id),
    // Of payments that came in: the tickets that they may pay.
    index('tickets_pending_total').on(t.totalPrice, t.createdAt).where(sql`${t.status} = 'pending'`),
    index('tickets_payer')
      .on(t.payerPhone, t.totalPrice, t.status, t.createdAt)
      .where(sql`${t.payerPhone} is not null`),
    index('tickets_user_total').on(t.userId, t.totalPrice, t.status, t.createdAt),
    index('tickets_pending_declared')
      .on(t.paymentDeclaredAt)
      .where(sql`${t.status} = 'pending' and ${t.paymentDeclaredAt} is not null`),
    // From its end, which people say; and a number is found without its country.
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

/** Each different path of services that tickets were filed for: what a search reads in place of every ticket. */
export const ticketPaths = pgTable('ticket_paths', {
  id: id(),
  /** The names from the root to the final service, folded (see the function `fold_text`), a line each. */
  folded: text().notNull().unique(),
});

/** Every status of a ticket, from its creation, each with its actor. */
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
    // Of the closing of a day: the tickets that were approved on it.
    index('ticket_events_approved').on(t.createdAt).where(sql`${t.status} = 'approved'`),
    check('ticket_events_status', sql`${t.status} in ('pending', 'approved', 'rejected')`),
  ],
);
