/**
 * Limits that several rooms of the server share, each with its reason; the others are in the room that uses them, as its `limits.ts`.
 * Limits that the browser must know too are in the contract, such as a code's lifetime in `contract/auth.ts`.
 */

/** Stopping. The service manager kills after 10 s, and PostgreSQL needs the last of them. */
export const stopLimits = {
  /** Time for current requests to finish before their connections are cut. */
  drainMs: 5_000,
  /** Time until the database is stopped, even if a request or another part that needs it hangs. */
  othersMs: 6_500,
  /** Time until the process exits, whatever hangs. */
  wholeMs: 9_000,
  /** PostgreSQL's own timeout for stopping. */
  databaseSeconds: 8,
} as const;
