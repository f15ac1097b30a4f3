const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Connections and requests. */
export const httpLimits = {
  /**
   * Time for a whole request to arrive: a statement of 32 MB takes 17.5 minutes at 256 kb/s. A call without a file ends earlier, at the
   * handler's time.
   */
  requestMs: 1_200_000,
  /**
   * Period of the checks on an arriving file. An upload without a new byte since the last check is refused; a phone that changes its cell
   * pauses for seconds.
   */
  uploadLookMs: 25_000,
  /** Time for the headers alone: no phone needs longer, and a slow-header attack holds few connections. */
  headersMs: 10_000,
  /** How often connections are checked for the two times above. */
  lateCheckMs: 5_000,
  /** Time for a refusal to leave before its connection is destroyed, in case the peer never closes its end. */
  refusalMs: 5_000,
  /** A connection without traffic for this long is closed. There is no traffic while a handler works. */
  idleConnectionMs: 200_000,
  /** Longer than the 60 s after which proxies close an idle connection, so that the proxy closes it first. */
  keepAliveMs: 65_000,
  /** Time for a handler: four SQL statements at their own limit. */
  handlerMs: 20_000,
  /** Time for a handler's work on a file that has arrived … */
  uploadWorkMs: 180_000,
  /** … and its whole time: `requestMs` for the arrival, then that work. */
  uploadHandlerMs: 1_380_000,
  /** Time to send a file that is generated on the way: an hour is a million tickets at 0.2 Mb/s. */
  downloadMs: 3_600_000,
  /** Open connections: 120 MB, and a sixth of the file descriptors of ops/systemd. A phone holds one per open screen. */
  connections: 10_000,
  /** Other open files of the process: 40 when idle, and those of the database's pool, jobs and exports. */
  otherFiles: 72,
  /** Files of one connection: its socket and a file that is sent on it. */
  filesPerConnection: 2,
  /** Fewest connections to start with: a few browsers open more. */
  fewestConnections: 20,
  /** Requests sent on one connection before an earlier answer has left. Browsers send none. */
  requestsWaiting: 20,
  /** Spreads long-lived connections over the processes behind a balancer. */
  requestsPerConnection: 10_000,
  /** A JSON body: twice the longest content page. */
  bodyBytes: 256 * 1024,
  /** The JSON field of a multipart body: a service with 50 ranges. */
  fieldBytes: 64 * 1024,
  /** Fields and parts of a form, and headers of a part. Our forms have two parts with three headers. */
  formFields: 10,
  formParts: 12,
  partHeaders: 50,
  /** A path parameter: the longest slug and a margin. */
  parameterCharacters: 100,
  /** Requests from one address in a period. Thousands of phones may share one (carrier-grade NAT). */
  requestsPerPeriod: 6_000,
  requestsPeriodMs: minute * 1_000,
  /** Refusals to one address in a period that are sent at once. Further ones wait, so that a flood leaves others their turns. */
  refusedAtOnce: 600,
  refusalWaitMs: 1_000,
  /** Answers from memory to one address in a period; further ones count as requests. 3,000 phones with an open screen poll this often. */
  answersPerPeriod: 60_000,
  /** Addresses counted one by one, for answers from memory and for early errors: 5 MB each. */
  addressesCounted: 50_000,
  /** Issues listed in one refusal. A form has fewer fields, and an attack should not be echoed. */
  issuesTold: 20,
  /** Delay of the event loop above which answers are 503. */
  eventLoopMs: 5_000,
  /** Period over which that delay is measured. */
  eventLoopSampleMs: 1_000,
  /** A year, HTTP's customary "for ever": for files whose name changes with their content, and for HSTS. */
  foreverSeconds: 31_536_000,
  /** Retry-After while the database or the event loop is not available. */
  retryAfterSeconds: 5,
} as const;

/** Lookups of a session or of a source's secret: anybody can invent such values. */
export const lookLimits = {
  /** Database connections used at once; the others stay free for callers already found. */
  atOnce: 4,
  /** Lookups that wait: a quarter of a second of work. After an outage every session is looked up again. */
  waiting: 1_000,
  retryAfterSeconds: 3,
} as const;

/**
 * Calls per key and period. Counts are in PostgreSQL, so that they survive a restart and are shared by processes. Limits by address are
 * wide: a mobile operator puts thousands of people behind one (carrier-grade NAT).
 */
export const rateLimits = {
  /** A market day behind one address: thirty sign-ups and resets in half an hour, each mistyped twice, leave room. */
  codesFailedPerAddress: { points: 120, seconds: hour },
  /** Key: the browser's kind, purpose and phone. With three tries per code, a day's chance of guessing one number's code is 1 in 1,000. */
  codesFailedPerPhone: { points: 10, seconds: day },
  /**
   * Answers to sign-ups and resets that send no code, and so reveal whether a number has an account. A market's people mistype less
   * often.
   */
  accountsToldPerAddress: { points: 120, seconds: hour },
  /** Each guest is a row that stays for a week. */
  guestsPerAddress: { points: 120, seconds: hour },
  /** Each image is decoded and stored. Adding pictures to a hundred services takes an administrator an hour. */
  imagesPerAdministrator: { points: 200, seconds: hour },
  /** A busy till gets some ten payments a minute; a phone that was offline sends a day's at once. */
  paymentFeedPerSource: { points: 3_000, seconds: hour },
  /** Each statement is read in a thread. */
  statementsPerAdministrator: { points: 60, seconds: hour },
  /** Each costs an SMS and can go to any number. */
  testSmsPerAdministrator: { points: 10, seconds: hour },
  /** Each is a row of the audit log; few people change their name more often. */
  profileChangesPerPerson: { points: 30, seconds: hour },
  /** A cash desk checks ten receipts a minute; phones behind one address share the limit. */
  receiptsPerAddress: { points: 600, seconds: hour },
  /** Every home page calls it once, at almost no cost. */
  starterDataPerAddress: { points: 600, seconds: hour },
  /** Key: account, and address or known browser. Five typing errors in a row are rare; a success resets the count. */
  signInTries: { points: 5, seconds: day, waits: { firstSeconds: minute, mostSeconds: 4 * hour } },
  /** Failures of one address in unknown browsers, for all accounts: one failure in 5 s, so that shared addresses keep working. */
  signInFailuresPerAddress: { points: 200, seconds: 15 * minute },
  /** Failures of one account in unknown browsers, from any number of addresses. Beyond it the reset by SMS remains. */
  signInFailuresPerAccount: { points: 100, seconds: day },
} as const satisfies Record<string, RateLimit>;

export interface RateLimit {
  points: number;
  seconds: number;
  /** The wait once the points are used up; the points are restored after it. It doubles each time within `seconds`. */
  waits?: { firstSeconds: number; mostSeconds: number };
}

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
