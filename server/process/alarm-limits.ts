/** The port for Prometheus. Others should not reach it; these limits hold if they do. */
export const metricsLimits = {
  /** Time for a request to arrive: a scrape is one line and some headers. */
  requestMs: 5_000,
  /** Longer than the usual 15 to 60 s between two scrapes, so that scrapes share a connection. */
  keepAliveMs: 65_000,
  /** Two Prometheus servers, a person with curl, and a reserve. */
  connections: 16,
  /** Time to read the database's figures. Later, the scrape is answered without them and says so. */
  figuresMs: 2_000,
  /** Upper bounds of the duration buckets, in seconds: a phone's user notices from a tenth to some seconds. */
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
} as const;

export const alarmLimits = {
  /** Period of each process's checks. */
  lookMs: 30_000,
  /** The dashboard shows conditions found within this time: two checks and a margin. */
  shownSeconds: 65,
  /** A condition ends after this time without a sighting, so one that flickers begins and ends once. It may hold on one machine alone. */
  overSeconds: 300,
  /**
   * Free space below which a disk raises an alarm: a share or bytes, whichever comes first. An image takes a megabyte, the write-ahead
   * log a hundred.
   */
  disk: { share: 0.1, bytes: 1_000_000_000 },
  /** Time for a disk to answer: a lost remote disk never does. */
  diskMs: 2_000,
  /** Age at which the last backup is too old: a day, and half a day to notice. */
  backupHours: 36,
  /** A due message that no process has taken for this long is stuck: jobs begin within 5 s. */
  stuckSeconds: 120,
  /** Time for the whole exchange with the webhook. */
  webhookMs: 5_000,
} as const;
