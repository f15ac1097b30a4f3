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
} as const;
