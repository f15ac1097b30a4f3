/** How much may be sent by SMS, and guessed of what was sent; what one number and one address may ask for stands in `limits.ts`. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Messages of a day (UTC), until an administrator sets other caps; those of the database's columns. */
export const sendingCaps = {
  perDay: 500,
  perCountryAndDay: 100,
  /** At which parts of a cap administrators are told; at the whole of it nothing more is sent. */
  warnedAtPercent: [50, 80],
  /**
   * Of each cap, what is kept for messages of a class, so that none uses up the others'; what is left is for all. The part of
   * decisions is everybody's where none are sent.
   */
  keptPercent: { signup: 15, trusted: 15, decision: 20 },
} as const;

/** Codes that nobody enters, of one address or network; the sign-ups of strangers and the others are counted apart. */
export const sourceLimits = {
  windowSeconds: day,
  /** Beyond as many as were entered: who mistypes a number or two and has two people beside them goes on. */
  address: 4,
  /** Of an IPv4 /24 or an IPv6 /48. */
  network: 8,
  /** What somebody refused is told to wait while codes are on their way that may still be entered. */
  retryAfterSeconds: minute,
} as const;

/** Codes of a country that nobody enters are asked for by somebody who earns on each message (SMS pumping). */
export const breakerLimits = {
  /** So many were sent, and fewer than so many in a hundred were entered. */
  codes: 50,
  percent: 10,
  /** What one address counts for at most, and how much more for each of its codes that was entered: a dozen never open it. */
  perAddress: 3,
  perEntered: 10,
  /** The last hour's, but for those whose people are still looking for their phone. */
  windowSeconds: hour,
  graceSeconds: 3 * minute,
  /** The newest of them, so that the look stays short whatever the caps. */
  lookedAt: 1_000,
  /** What somebody refused is told to wait; the hour's figures end it by themselves. */
  retryAfterSeconds: 10 * minute,
} as const;

/**
 * Wrong codes of flows that were never proven, of sign-ups and of resets each, up to which a right code suffices. The one that is
 * being tried is among them, so these are the guesses that may succeed by four digits; `docs/security.md` says what they come to.
 */
export const secondCodeLimits = {
  /** Of all numbers, but for flows of browsers that know the account: a day of people who mistype and give up has one or two. */
  ofAll: 12,
  ofAllSeconds: day,
  /** Of one number. */
  ofNumber: 15,
  ofNumberSeconds: 30 * day,
} as const;

/** What the panel shows and sends. */
export const panelSmsLimits = {
  deliveries: 50,
  /** Of a test message: whoever tries a gateway does not wait for long. */
  testLifetimeSeconds: 10 * minute,
} as const;
