import { date, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ClosingFigures } from '#contract/closings.ts';
import { createdAt, id } from '#server/database/columns.ts';
import { accountId } from '#server/features/payment-feed/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** The days that a person signed, each with what it was then. */
export const paymentClosings = pgTable(
  'payment_closings',
  {
    id: id(),
    accountId: accountId(),
    /** On the clock of the account's country. */
    day: date().notNull(),
    figures: jsonb().$type<ClosingFigures>().notNull(),
    digest: text().notNull(),
    signedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    signedAt: createdAt(),
  },
  (t) => [
    uniqueIndex('payment_closings_once').on(t.accountId, t.day),
    index('payment_closings_signed_by').on(t.signedBy),
  ],
);
