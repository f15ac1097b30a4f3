/** Matching payment lines with tickets. */
export const matchLimits = {
  /** A line with the declared reference counts from this long before the filing, since the two clocks may differ … */
  beforeFilingMs: 15 * 60_000,
  /** … to this long after the declaration. */
  afterDeclaringMs: 15 * 60_000,
  /** A line with the payer's number and the amount counts from this long before the filing … */
  payerBeforeMs: 5 * 60_000,
  /** … to this long after it. */
  payerAfterMs: 24 * 3_600_000,
  /** The newest lines without a ticket that are always compared … */
  lines: 35,
  /** … and how many of the newest are searched for lines with evidence, in growing steps … */
  searched: 5_000,
  spokenFor: 60,
  spokenForNext: 500,
  /** … until this many pairs are ticked. */
  ticked: 25,
  /** Tickets or lines read for one kind of evidence. With more than this, no pair is sure. */
  rivals: 20,
  /** Tickets read on each side of a line that match by amount alone; five are shown. */
  nearest: 3,
  /** Rounds of looking for rivals of rivals. */
  rounds: 3,
  /** Steps back through SMS balances, for all lines together. */
  balanceSteps: 5_000,
} as const;

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
} as const;
