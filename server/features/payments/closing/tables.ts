import { date, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ClosingFigures, ClosingReasons } from '#contract/closings.ts';
import { createdAt, id } from '#server/database/columns.ts';
import { accountId } from '#server/features/payments/intake/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** The signatures of days, each with the day's figures at that time. A day's last signature counts. */
export const paymentClosings = pgTable(
  'payment_closings',
  {
    id: id(),
    accountId: accountId(),
    /** On the clock of the account's country. */
    day: date().notNull(),
    figures: jsonb().$type<ClosingFigures>().notNull(),
    digest: text().notNull(),
    reasons: jsonb().$type<ClosingReasons>().notNull().default({ gaps: [] }),
    signedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    signedAt: createdAt(),
  },
  (t) => [
    index('payment_closings_day').on(t.accountId, t.day, t.id),
    index('payment_closings_signed_by').on(t.signedBy),
  ],
);
