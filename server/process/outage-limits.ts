/** Times for a database server that is away, or that another one takes the place of. */
export const outageLimits = {
  /**
   * For an answer to a statement: a server that a broken network hides says nothing at all. Above a statement's own limit, and
   * below a handler's. A commit that waits for another server's copy may take longer: then nobody knows whether it was done.
   */
  answerMs: 8_000,
  /** Until the system looks whether an idle connection still has another end. */
  keepAliveMs: 10_000,
  /** For each of several servers to say whether it takes writes: below a connection's own limit, so that there is time to use it. */
  hostMs: 2_000,
  /** For the others, when one of them said that it does. */
  otherHostsMs: 300,
} as const;
