/** How much may be sent by SMS, and guessed of what was sent, over all numbers; those of one number stand in `limits.ts`. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Messages of a day (UTC), until an administrator sets other caps; those of the database's columns. */
export const sendingCaps = {
  perDay: 500,
  perCountryAndDay: 100,
  /** At which parts of a cap administrators are told; at the whole of it nothing more is sent. */
  warnedAtPercent: [50, 80],
} as const;

/** Codes of a country that nobody enters are asked for by somebody who earns on each message (SMS pumping). */
export const breakerLimits = {
  /** So many were sent, and fewer than so many in a hundred were entered. */
  codes: 50,
  percent: 10,
  /** The last hour's, but for those whose people are still looking for their phone. */
  windowSeconds: hour,
  graceSeconds: 3 * minute,
  /** The newest of them, so that the look stays short whatever the caps. */
  lookedAt: 1_000,
  /** What somebody refused is told to wait; the hour's figures end it by themselves. */
  retryAfterSeconds: 10 * minute,
} as const;

/**
 * Wrong reset codes of all numbers together. Guessing at everybody with a day's messages would take over one account in
 * seven days; this keeps a day's chance at 2 %.
 */
export const resetGuessLimits = {
  failures: 200,
  daySeconds: day,
  /** For so long no reset goes on once there were as many, and after each further one. */
  pauseSeconds: hour,
} as const;

/** Wrong codes of one number in a row, whatever the days between: half of what NIST SP 800-63B allows. */
export const codeLockLimits = {
  failures: 50,
  /** For so long after the last one where nobody has verified the number, since nobody has a password to get out by. */
  unverifiedSeconds: day,
  /** After so long without one the row goes: fifty guesses in three months are worth half a percent. */
  quietSeconds: 90 * day,
} as const;

/** What the panel shows and sends. */
export const panelSmsLimits = {
  deliveries: 50,
  /** Of a test message: whoever tries a gateway does not wait for long. */
  testLifetimeSeconds: 10 * minute,
} as const;

/** As `rateLimits` in `limits.ts`. */
export const sendingRateLimits = {
  /** Each costs an SMS, and goes to any number. */
  testSmsPerAdministrator: { points: 10, seconds: hour },
} as const;
