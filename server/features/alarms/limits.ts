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
