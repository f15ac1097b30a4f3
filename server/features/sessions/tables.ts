import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt } from '#server/database/columns.ts';
import { users } from '#server/features/users/tables.ts';

/** `sid` is the SHA-256 of the cookie's id, so that a copy of this table opens no session. */
export const sessions = pgTable(
  'sessions',
  {
    sid: text().primaryKey(),
    /** Not used any more. */
    sess: jsonb().notNull().default({}),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expire: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('sessions_expire').on(t.expire), index('sessions_user').on(t.userId)],
);
