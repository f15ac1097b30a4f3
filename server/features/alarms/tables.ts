import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt } from '#server/database/columns.ts';

/** The conditions that hold, by the last check of any process, and whether the webhook was called. */
export const alarms = pgTable(
  'alarms',
  {
    /** The condition's key, such as 'backup'. */
    key: text().primaryKey(),
    level: text({ enum: ['warning', 'critical'] }).notNull(),
    /** A French sentence: what is wrong, and what to do. */
    message: text().notNull(),
    createdAt: createdAt(),
    /** When a process last found the condition. */
    seenAt: at().notNull().defaultNow(),
    /** When the webhook was called for its beginning. */
    toldAt: at(),
  },
  (t) => [check('alarms_level', sql`${t.level} in ('warning', 'critical')`)],
);
