/** Times, sizes and bounds of watching the product: metrics, alarms and who is told of them. Each with its reason. */

/** The port for Prometheus, which nobody else should reach, and which still takes no more than a scrape. */
export const metricsLimits = {
  /** For a request to arrive: a scrape is one line and some headers. */
  requestMs: 5_000,
  /** Of its headers. */
  headerBytes: 8 * 1024,
  /** Longer than the usual 15 s to a minute between two scrapes, so that they share a connection. */
  keepAliveMs: 65_000,
  /** Two Prometheus, somebody with curl, and some. */
  connections: 16,
  /** For the database to tell its figures; without them the rest is answered, and that they are missing. */
  figuresMs: 2_000,
  /** Seconds that the buckets of durations end at: what a phone notices lies between a tenth and some seconds. */
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  /** Different gateways and outcomes that are told apart; settings name a handful. */
  smsSeries: 100,
} as const;

/** Looking after the machine, the queue and what else an operator should hear of. */
export const watchLimits = {
  /** How often each process looks at its machine and at the queue. */
  lookMs: 60_000,
  /** How often one process of all looks at what they share. */
  sharedCrontab: '* * * * *',
  /** Certificates change every few weeks; off the hour at which everybody else looks. */
  certificateCrontab: '23 * * * *',
  /** A message due for longer than this, at two looks in a row, waits for nobody: jobs begin within 5 s. */
  stuckSeconds: 60,
  /** Of a disk, by share and in bytes, whichever comes first. An image takes a megabyte, PostgreSQL's log of changes a hundred. */
  disk: {
    warning: { share: 0.1, bytes: 1_000_000_000 },
    critical: { share: 0.03, bytes: 300_000_000 },
    /** How much above a bound it must be again: at the very bound it would be news every minute. */
    above: 1.1,
    /** For a disk to tell its room; one far away may have gone, and then says nothing. */
    answerMs: 2_000,
  },
  /** A day's backup, and half a day to notice that it is missing. */
  backupSeconds: 36 * 3_600,
  /** Let's Encrypt's are renewed 30 days before their end: two weeks later something is wrong. */
  certificateDays: { warning: 14, critical: 3 },
  /** For the site's own address to show its certificate. */
  certificateMs: 5_000,
  /** Sessions and codes go by the database's clock, limits by the process's. */
  clockSeconds: 5,
  /** After a day the alarm of a machine is raised anew or gone, with the machine: containers change their names. */
  machineAlarmSeconds: 24 * 3_600,
} as const;

/** Telling of alarms. */
export const tellLimits = {
  /** Of SMS about alarms, to all numbers together: what comes after stands on the dashboard. */
  smsPerDay: 20,
  /** Of those, kept for what is urgent: a warning that comes and goes does not use them up. */
  smsKeptForCritical: 10,
  /** An alarm that arrives later is told by the dashboard. */
  smsLifetimeSeconds: 3_600,
  /** One SMS of the GSM-7 alphabet. */
  smsCharacters: 160,
  /** For the whole exchange with the webhook. */
  webhookMs: 5_000,
  /** With the queue's pauses, some two hours of trying. */
  webhookAttempts: 9,
} as const;
