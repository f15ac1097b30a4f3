/** The payment feed: what phones and wallets' servers send. */
export const paymentFeedLimits = {
  /** A phone's clock that is off by more is wrong; a time further ahead lies in the future. */
  clockMs: 5 * 60_000,
  /** Longest delay between an SMS and its forwarding; an older stamp is not believed. */
  lateMs: 60 * 24 * 3_600_000,
  /** How far ahead the time in an SMS's own text may be. It is the operator's clock, which is not a day off. */
  futureMs: 24 * 3_600_000,
  /** An account's messages take turns, so that a phone that sends a whole day's at once leaves connections free. */
  taking: { atOnce: 4, waiting: 500, retryAfterSeconds: 5 },
  /** A source's previous address and signature stay valid this long after a rotation. */
  previousHours: 24,
  /** A source without a call for this long is silent. */
  silentMs: 24 * 3_600_000,
  /** An account's unread messages raise an alarm from this many messages a day, and from this share of unread ones. */
  shareMessages: 20,
  unreadShare: 0.1,
  /** Days a message's text is kept. */
  textDays: 30,
  /** Allowed age of a signature: Wave's own bound. */
  signatureSeconds: 300,
  /** Unread messages in one answer. */
  unreadShown: 100,
  /** Imports of an account in one answer. */
  importsShown: 20,
  /** Lines of an import that one SQL statement takes back, within seconds. */
  undoneAtOnce: 10_000,
  /** Steps back through SMS balances, for all lines together. */
  balanceSteps: 5_000,
} as const;

/** Work on a statement that has arrived: waiting, reading, writing. A time that is exceeded has a refusal of its own. */
export const statementClocks = {
  /** Files that wait while one is read. */
  waiting: 1,
  /** Time to read one file: 200,000 rows take 20 s on a slow machine. */
  readMs: 40_000,
  /** Time to write its rows: 200,000 take ten seconds. */
  writeMs: 60_000,
} as const;
