import { resetTokenSeconds } from '#contract/auth.ts';

const hour = 3_600;
const day = 24 * hour;

/** Sign-ins; the allowed failures are in `rateLimits`. */
export const signInLimits = {
  /** Lifetime of the known browser's cookie: a year, renewed at each sign-in. */
  knownBrowserCookieSeconds: 365 * day,
  /** Accounts for which one browser is known: a family's phone has fewer. */
  accountsPerBrowser: 5,
  /**
   * Accounts of one e-mail address whose passwords are compared. Addresses are not proven, so several people may have one. This is a
   * second or two of hashing, queued with other sign-ins. Each counts as a try, and the address has few tries.
   */
  candidates: 20,
} as const;

/** Codes by SMS, beyond the contract's limits. A check on the database columns also limits the tries to three. */
export const codeLimits = {
  /** Each costs an SMS. With the tries per code they bound a day's guesses at one number. */
  perNumberAndDay: 5,
  /** Period over which codes, flows and failures are counted. */
  daySeconds: day,
  /** Flows of one number whose passwords an unverified sign-in compares: all that a day can have. */
  flowsCompared: 5,
  /** Lifetime of the cookie that ties a code to its browser: the day over which codes are counted. */
  flowCookieSeconds: day,
  /** Time to choose a new password, and little time for a thief of the phone. */
  resetTokenSeconds,
} as const;

/**
 * Wrong codes of unproven flows, counted separately for sign-ups and resets, up to which one right code suffices. The current try counts.
 * So these are all the guesses that can succeed with four digits; `docs/security.md` gives the odds.
 */
export const secondCodeLimits = {
  /** For all numbers together, without flows of known browsers. People who mistype and give up cause one or two a day. */
  ofAll: 12,
  ofAllSeconds: day,
  /** Per number. */
  ofNumber: 15,
  ofNumberSeconds: 30 * day,
} as const;

/** Sessions: a user's lifetime counts from the last use, an administrator's from the start. */
export const sessionLimits = {
  /** P2.5: a person signs in once on their own phone. */
  userSeconds: 30 * day,
  /** A working day: an administrator's session is worth stealing. */
  adminSeconds: 12 * hour,
  /** Age at which a session is renewed: once a day of use, not with every poll. */
  renewAfterSeconds: day,
  /** Sessions of one account: a phone, a tablet, shared computers, many times over. Beyond it the oldest end. */
  perAccount: 50,
  /** Longest session cookie that is looked up; ours have 43 characters. */
  cookieCharacters: 100,
} as const;

/** How long rows stay after their use. */
export const retentionSeconds = {
  /** After a session's end. A guest's sessions show when the guest was last here. */
  sessions: 7 * day,
  /** Flows and codes count for a day; three days leave room for questions. The account data that a flow claims is deleted with it. */
  flows: 3 * day,
  /** Flows with wrong codes: a number's wrong codes count for thirty days. */
  flowsWithWrongCodes: 31 * day,
} as const;
