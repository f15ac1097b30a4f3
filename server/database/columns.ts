import { type SQLWrapper, sql } from 'drizzle-orm';
import { integer, timestamp } from 'drizzle-orm/pg-core';
import { Failure } from '#contract/failure.ts';

/** The columns that most tables have. */
export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const at = () => timestamp({ withTimezone: true });
export const createdAt = () => at().notNull().defaultNow();
/** The version of a row: each change gives it a later millisecond, also one that began first and waited for the row. */
export const updatedAt = () =>
  at()
    .notNull()
    .defaultNow()
    .$onUpdate(() => nextVersion());

/** The next version after `last`; in an upsert, which knows two columns of that name, `last` says which. */
export const nextVersion = (last: SQLWrapper = sql`updated_at`) =>
  sql`greatest(now(), ${last} + interval '1 millisecond')`;

/** Throws CHANGED_MEANWHILE for a change of another version than the stored one; null expects that nothing was saved yet. */
export function requireUnchanged(updatedAt: Date | null, expected: string | null | undefined): void {
  if (expected === undefined) return;
  const expectedTime = expected === null ? undefined : Date.parse(expected);
  // Both in milliseconds, which is what answers tell: the table keeps microseconds.
  if (updatedAt?.getTime() !== expectedTime) throw new Failure('CHANGED_MEANWHILE');
}
