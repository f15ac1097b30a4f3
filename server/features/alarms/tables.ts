import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt } from '#server/database/columns.ts';

/** What an operator should know of now; a row goes when its cause does. */
export const alarms = pgTable(
  'alarms',
  {
    /** Of what, such as 'backup' or 'gateway:orange'. */
    key: text().primaryKey(),
    level: text({ enum: ['warning', 'critical'] }).notNull(),
    /** A French sentence: what is wrong, and what to do. */
    message: text().notNull(),
    createdAt: createdAt(),
    /** When it was sent to who asked to be told. */
    toldAt: at(),
  },
  (t) => [check('alarms_level', sql`${t.level} in ('warning', 'critical')`)],
);
