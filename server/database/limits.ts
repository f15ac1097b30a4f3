const minute = 60;

export const databaseLimits = {
  /** Time for an SQL statement: none of ours takes a second. */
  statementMs: 5_000,
  /** Wait for a lock: shorter than a statement's time, so that the failure names the lock. */
  lockMs: 2_000,
  /** The same for a user's turn to file a ticket: equal orders sent at once wait for the first and get its ticket. */
  filingTurnMs: 4_500,
  /** Wait for another process that does one-time work: it writes hundreds of rows, maybe on a busy machine. */
  onceMs: 30_000,
  /** A transaction left open this long by a hanging process is ended, and its locks are released. */
  idleInTransactionMs: 10_000,
  /** Wait for a connection behind others: as long as their statements may take. An absent server refuses at once. */
  connectMs: 5_000,
  /** Wait for a connection at the start, before any request. */
  connectAtStartMs: 5_000,
  /** Age at which an unused connection is closed. */
  idleConnectionMs: 30_000,
  /** Connections of a process. With those of the jobs, three processes fit into the embedded server's 60. */
  connections: 15,
  /** Time for the embedded PostgreSQL to start, including recovery after a crash. */
  startSeconds: 60,
  /**
   * Time for a statement's answer, since a server behind a broken network never answers. It is above a statement's own limit and below a
   * handler's. A commit that waits for another server's copy may exceed it; then its outcome is unknown.
   */
  answerMs: 8_000,
  /** TCP keep-alive: idle time before the system checks whether the peer still exists. */
  keepAliveMs: 10_000,
  /** Statements that wait for a connection of a process, each for some milliseconds. Further ones are refused. */
  waitingAtMost: 200,
  /** How often a start or a stop checks whether it is complete. */
  startLookMs: 50,
} as const;

/** Keeping the embedded PostgreSQL up. */
export const supervisionLimits = {
  /** Period of the checks that restart a PostgreSQL that has ended. */
  lookMs: 1_000,
  /** A start that lasts less than this has failed. */
  steadyMs: 10_000,
  /** After trouble for this long the process exits, so that its supervisor restarts it. */
  giveUpMs: minute * 1_000,
} as const;

/** Jobs that begin by the clock. */
export const cronLimits = {
  /** Time within which a missed daily run is made up for. */
  dayMadeUpForMs: 23 * 3_600_000,
} as const;
