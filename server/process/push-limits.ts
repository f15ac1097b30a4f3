const hour = 3_600;

/** Telling people by push: every time, size and count, each with its reason. */
export const pushLimits = {
  /** Browsers of one person: a phone, a tablet, shared computers. The oldest go. */
  perUser: 10,
  /** For a push service to answer: its reply is a line, and a job in hand keeps others waiting. */
  requestMs: 5_000,
  /** News of a ticket is worth something for a day; then the app tells it by itself. */
  lifetimeSeconds: 24 * hour,
  /** Tries for one browser, which a service that is away for an hour outlives. */
  tries: 5,
  /** Before the second try; each further one waits four times as long. */
  firstPauseSeconds: 30,
  /** However long a service asks us to stay away, and however often it failed. */
  longestPauseSeconds: hour,
  /** Queues, each one job at a time: of the jobs that a process does at once, these leave two for messages with codes. */
  queues: 2,
  /** Behind everything else that is due: the higher the later. */
  priority: 10,
  /** Of a job whose failure is ours, and not a push service's. */
  jobAttempts: 3,
} as const;
