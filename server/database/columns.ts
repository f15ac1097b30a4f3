import { sql } from 'drizzle-orm';
import { integer, timestamp } from 'drizzle-orm/pg-core';

/** The columns that most tables have. */
export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const at = () => timestamp({ withTimezone: true });
export const createdAt = () => at().notNull().defaultNow();
export const updatedAt = () =>
  at()
    .notNull()
    .defaultNow()
    .$onUpdate(() => sql`now()`);
