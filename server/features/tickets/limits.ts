/** How a search chooses its plan. Each figure was measured at a million tickets (`npm run bench -- lists`). */
export const searchLimits = {
  /** Up to this many paths, each path's first tickets are read. With more, the first tickets of the list are searched first. */
  fewPaths: 40,
  /** Up to this many users, all their tickets are sorted. With more, the list is searched in its order. */
  fewUsers: 1_000,
  /** First tickets of a list that are searched before the rest: some milliseconds. */
  first: 5_000,
  /** Up to this many ticket numbers with the searched digits are looked up one by one; more are found among the first tickets. */
  numbers: 50_000,
  /** Newest events of tickets searched for decisions: a millisecond when there are none. */
  events: 5_000,
  /** More rows than any table has. */
  everything: 2_147_483_647,
} as const;

/** Folding of pending changes into the counts (`server/features/tickets/tallies-tables.ts`). */
export const tallyLimits = {
  /** Every minute, so that a dashboard adds up at most one minute's changes. */
  foldCrontab: '* * * * *',
  /** Changes folded in one SQL statement. */
  changesPerFold: 50_000,
} as const;
