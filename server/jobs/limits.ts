/** Running the jobs of the queue. */
export const jobLimits = {
  /** Jobs at once. An SMS mostly waits for its operator, and holds a connection for a moment only. */
  concurrency: 4,
  /** Every hour, but not on the hour, when other programs' jobs run. */
  cleanUpCrontab: '7 * * * *',
  /** Rows deleted in one SQL statement, well within its time limit. */
  rowsPerDeletion: 1_000,
  /** How often a worker polls for jobs without a notification, such as delayed ones: they begin within 5 s. */
  pollMs: 2_000,
  /** Pause between tries to reach a lost database: waiting messages leave within 5 s of its return. */
  retryMs: 500,
  /** How often a process renews its lease on its jobs: four times in a lease. */
  renewMs: 5_000,
  /** A process that has not renewed its lease for this long counts as dead, and others take its jobs: in time for a five-minute code. */
  leaseSeconds: 20,
} as const;
