import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/**
 * Counts kept as things change, so that no one counts a million rows. `what` is `users`, `tickets:<status>` or, by day in
 * UTC, `service:<id>`; `hour` is when the thing came to be. Folding also keeps, of all but the services, the sum of all
 * hours, as `all <what>` in the hour `epoch`. The counts are the sum over both tables: triggers append to `tally_changes`,
 * where writers never wait for one another, and a job folds what has gathered there into `tallies`.
 */
export const tallies = pgTable(
  'tallies',
  {
    what: text().notNull(),
    hour: timestamp({ withTimezone: true }).notNull(),
    count: integer().notNull(),
    /** CFA francs. */
    francs: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.what, t.hour] }), index('tallies_hour').on(t.hour, t.what, t.count)],
);

export const tallyChanges = pgTable('tally_changes', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  what: text().notNull(),
  hour: timestamp({ withTimezone: true }).notNull(),
  count: integer().notNull(),
  francs: bigint({ mode: 'number' }).notNull(),
});
