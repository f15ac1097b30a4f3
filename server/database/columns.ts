import { type SQLWrapper, sql } from 'drizzle-orm';
import { integer, timestamp } from 'drizzle-orm/pg-core';

/** The columns that most tables have. */
export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const at = () => timestamp({ withTimezone: true });
export const createdAt = () => at().notNull().defaultNow();
/**
 * The version of a row: each change gives it a later millisecond, also one that began first and waited for the row. So two
 * versions never have the same, as answers tell it.
 */
export const updatedAt = () =>
  at()
    .notNull()
    .defaultNow()
    .$onUpdate(() => nextVersion());

/** The next version after `last`; in an upsert, which knows two columns of that name, `last` says which. */
export const nextVersion = (last: SQLWrapper = sql`updated_at`) =>
  sql`greatest(now(), ${last} + interval '1 millisecond')`;
