import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { at, id } from '#server/database/columns.ts';

/** Each backup that ended, failed where `failure` says why. */
export const backups = pgTable(
  'backups',
  {
    id: id(),
    startedAt: at().notNull().defaultNow(),
    finishedAt: at().notNull(),
    /** The file's name, without its folder. */
    file: text().notNull(),
    bytes: bigint({ mode: 'number' }),
    failure: text(),
  },
  (t) => [index('backups_started').on(t.startedAt)],
);
