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
