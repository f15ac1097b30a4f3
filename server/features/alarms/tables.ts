import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt } from '#server/database/columns.ts';

/** The conditions that hold, by the last look of any process, and whether the webhook was told. */
export const alarms = pgTable(
  'alarms',
  {
    /** Of the condition, such as 'backup'. */
    key: text().primaryKey(),
    level: text({ enum: ['warning', 'critical'] }).notNull(),
    /** A French sentence: what is wrong, and what to do. */
    message: text().notNull(),
    createdAt: createdAt(),
    /** When a process last found that it holds. */
    seenAt: at().notNull().defaultNow(),
    /** When the webhook was told that it began. */
    toldAt: at(),
  },
  (t) => [check('alarms_level', sql`${t.level} in ('warning', 'critical')`)],
);
