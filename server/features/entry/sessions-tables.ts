import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt } from '#server/database/columns.ts';
import { ofUser } from '#server/features/users/tables.ts';

/** `sid` is the SHA-256 of the cookie's id, so that a copy of this table opens no session. */
export const sessions = pgTable(
  'sessions',
  {
    sid: text().primaryKey(),
    /** Named by the specification; the other columns hold what is known of a session. */
    sess: jsonb().notNull().default({}),
    userId: ofUser(),
    expire: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('sessions_expire').on(t.expire), index('sessions_user').on(t.userId)],
);
