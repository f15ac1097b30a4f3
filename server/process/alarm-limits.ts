/** Times, sizes and bounds of metrics and alarms, each with its reason. */

/** The port for Prometheus, which nobody else should reach, and which still takes no more than a scrape. */
export const metricsLimits = {
  /** For a request to arrive: a scrape is one line and some headers. */
  requestMs: 5_000,
  /** Longer than the usual 15 s to a minute between two scrapes, so that they share a connection. */
  keepAliveMs: 65_000,
  /** Two Prometheus, somebody with curl, and some. */
  connections: 16,
  /** For the database's figures; without them the rest is answered, and that they are missing. */
  figuresMs: 2_000,
  /** Seconds that the buckets of durations end at: what a phone notices lies between a tenth and some seconds. */
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
} as const;

export const alarmLimits = {
  /** How often each process checks the conditions. */
  lookMs: 30_000,
  /** Twice that, and a little: the dashboard shows what was found so lately. */
  shownSeconds: 65,
  /** A condition that comes and goes begins and ends once: it is over after so long. Of several machines one may have it alone. */
  overSeconds: 300,
  /** Of a disk, by share or in bytes, whichever comes first. An image takes a megabyte, PostgreSQL's log of changes a hundred. */
  disk: { share: 0.1, bytes: 1_000_000_000 },
  /** For a disk to answer: a remote one may have gone, and says nothing. */
  diskMs: 2_000,
  /** A day's backup, and half a day to notice that it is missing. */
  backupHours: 36,
  /** A message that is due for so long, while no process takes any, is stuck: jobs begin within 5 s. */
  stuckSeconds: 120,
  /** For the whole exchange with the webhook. */
  webhookMs: 5_000,
} as const;
