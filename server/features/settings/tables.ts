import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { updatedAt } from '#server/database/columns.ts';

/** The reasons for a rejection that administrators choose from, in their order. */
export const rejectReasons = pgTable(
  'reject_reasons',
  {
    position: integer().primaryKey(),
    text: text().notNull(),
    /** The same in all rows, which are replaced together. */
    updatedAt: updatedAt(),
  },
  (t) => [check('reject_reasons_text', sql`length(trim(${t.text})) between 1 and 300`)],
);
