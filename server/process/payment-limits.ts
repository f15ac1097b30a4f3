/** Payments that came in, and the tickets that they may pay. */
export const matchLimits = {
  /** A declared reference counts from this long before the filing, by two clocks … */
  beforeFilingMs: 15 * 60_000,
  /** … to this long after the declaration. */
  afterDeclaringMs: 15 * 60_000,
  /** Number and amount count from this long before the filing … */
  payerBeforeMs: 5 * 60_000,
  /** … to this long after it. */
  payerAfterMs: 24 * 3_600_000,
  /** The newest lines without a ticket that are looked at … */
  lines: 35,
  /** … and among so many of the newest those that something speaks for: first some, then more at once … */
  searched: 5_000,
  spokenFor: 60,
  spokenForNext: 500,
  /** … until so many are ticked. */
  ticked: 25,
  /** Tickets or lines by one kind of evidence; of more than so many nothing is sure. */
  rivals: 20,
  /** Tickets of an equal amount alone, before a line and after it: five of them are shown. */
  nearest: 3,
  /** Times that the rivals of rivals are looked for. */
  rounds: 3,
  /** Steps back through the balances of SMS, of all lines together. */
  balanceSteps: 5_000,
} as const;

/** What phones and wallets' servers send of payments. */
export const paymentFeedLimits = {
  /** A phone's clock that is off by more is wrong, and a time that is ahead by more is of the future. */
  clockMs: 5 * 60_000,
  /** A phone may send an SMS so long after it came; what it says to be older is not believed. */
  lateMs: 60 * 24 * 3_600_000,
  /** The time in an SMS's own text is the operator's, who writes tomorrow's date to nobody. */
  futureMs: 24 * 3_600_000,
  /** An account's messages take turns: a phone that sends a day's at once does not take every connection. */
  taking: { atOnce: 4, waiting: 500, retryAfterSeconds: 5 },
  /** What an address was before its rotation holds for so long. */
  previousHours: 24,
  /** A source that was heard of before and not for so long is silent. */
  silentMs: 24 * 3_600_000,
  /** Messages of a day from which the share of unread ones says something, and the share that is too many. */
  shareMessages: 20,
  unreadShare: 0.1,
  /** A message's own text is kept for so long. */
  textDays: 30,
  /** A signature's time may be off by so much: Wave's own bound. */
  signatureSeconds: 300,
  /** Unread messages in one answer. */
  unreadShown: 100,
  /** Imports of an account in one answer. */
  importsShown: 20,
  /** Lines of an import that one statement takes back: seconds at most. */
  undoneAtOnce: 10_000,
} as const;
