import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { codeProblems } from '#contract/dial-codes.ts';
import { createdAt } from '#server/database/columns.ts';
import { services } from '#server/features/catalogue/tables.ts';
import { dialTemplates } from '#server/features/payment-types/tables.ts';
import { tickets } from '#server/features/tickets/tables.ts';

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
