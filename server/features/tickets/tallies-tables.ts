import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/**
 * Counts that triggers maintain, so that no query counts a million rows. `what` is `users`, `tickets:<status>` or, by day in UTC,
 * `service:<id>`; `hour` is the time of creation. Folding also maintains sums over all hours, except for services, as `all <what>` in the
 * hour `epoch`. A count is the sum over both tables. Triggers append to `tally_changes`, where writers never wait for one another, and a
 * job folds that into `tallies`.
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
