import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { matchRules } from '#contract/payments.ts';
import { at, createdAt, id } from '#server/database/columns.ts';
import { paymentLines } from '#server/features/payments/intake/tables.ts';
import { tickets } from '#server/features/tickets/tables.ts';
import { users } from '#server/features/users/tables.ts';

/** The line that pays a ticket, with the rule or the person that paired them. */
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
    // Deleting a line looks up its matches, undone ones too.
    index('payment_matches_of_line').on(t.lineId),
    index('payment_matches_decided_by').on(t.decidedBy),
    index('payment_matches_undone_by').on(t.undoneBy),
    check('payment_matches_rule', sql`${t.rule} in ('R0', 'R1', 'R2', 'R2b', 'R3', 'R4', 'person')`),
  ],
);
