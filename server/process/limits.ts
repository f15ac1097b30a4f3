/**
 * Time limits, size limits and periods of the server, each with its reason. Limits that the browser must know too are in the contract,
 * such as a code's lifetime in `contract/auth.ts`.
 */
import { resetTokenSeconds } from '#contract/auth.ts';

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

/** Work on a statement that has arrived: waiting, reading, writing. A time that is exceeded has a refusal of its own. */
export const statementClocks = {
  /** Files that wait while one is read. */
  waiting: 1,
  /** Time to read one file: 200,000 rows take 20 s on a slow machine. */
  readMs: 40_000,
  /** Time to write its rows: 200,000 take ten seconds. */
  writeMs: 60_000,
} as const;

/** Stopping. The service manager kills after 10 s, and PostgreSQL needs the last of them. */
export const stopLimits = {
  /** Time for current requests to finish before their connections are cut. */
  drainMs: 5_000,
  /** Time until the database is stopped, even if a request or another part that needs it hangs. */
  othersMs: 6_500,
  /** Time until the process exits, whatever hangs. */
  wholeMs: 9_000,
  /** PostgreSQL's own timeout for stopping. */
  databaseSeconds: 8,
} as const;

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

/** Sign-ins; the allowed failures are in `rateLimits`. */
export const signInLimits = {
  /** Lifetime of the known browser's cookie: a year, renewed at each sign-in. */
  knownBrowserCookieSeconds: 365 * day,
  /** Accounts for which one browser is known: a family's phone has fewer. */
  accountsPerBrowser: 5,
  /**
   * Accounts of one e-mail address whose passwords are compared. Addresses are not proven, so several people may have one. This is a
   * second or two of hashing, queued with other sign-ins. Each counts as a try, and the address has few tries.
   */
  candidates: 20,
} as const;

/** Codes by SMS, beyond the contract's limits. A check on the database columns also limits the tries to three. */
export const codeLimits = {
  /** Each costs an SMS. With the tries per code they bound a day's guesses at one number. */
  perNumberAndDay: 5,
  /** Period over which codes, flows and failures are counted. */
  daySeconds: day,
  /** Flows of one number whose passwords an unverified sign-in compares: all that a day can have. */
  flowsCompared: 5,
  /** Lifetime of the cookie that ties a code to its browser: the day over which codes are counted. */
  flowCookieSeconds: day,
  /** Time to choose a new password, and little time for a thief of the phone. */
  resetTokenSeconds,
} as const;

/** Sessions: a user's lifetime counts from the last use, an administrator's from the start. */
export const sessionLimits = {
  /** P2.5: a person signs in once on their own phone. */
  userSeconds: 30 * day,
  /** A working day: an administrator's session is worth stealing. */
  adminSeconds: 12 * hour,
  /** Age at which a session is renewed: once a day of use, not with every poll. */
  renewAfterSeconds: day,
  /** Sessions of one account: a phone, a tablet, shared computers, many times over. Beyond it the oldest end. */
  perAccount: 50,
  /** Longest session cookie that is looked up; ours have 43 characters. */
  cookieCharacters: 100,
} as const;

/** Reports of codes that do not work (P9.12). */
export const dialCodeLimits = {
  /** People who must report one template within the time below: one may have mistyped, two may know each other. */
  peopleBeforeAlarm: 3,
  reportSeconds: day,
} as const;

/** How a search chooses its plan. Each figure was measured at a million tickets (`npm run bench -- lists`). */
export const searchLimits = {
  /** Up to this many paths, each path's first tickets are read. With more, the first tickets of the list are searched first. */
  fewPaths: 40,
  /** Up to this many users, all their tickets are sorted. With more, the list is searched in its order. */
  fewUsers: 1_000,
  /** First tickets of a list that are searched before the rest: some milliseconds. */
  first: 5_000,
  /** Up to this many ticket numbers with the searched digits are looked up one by one; more are found among the first tickets. */
  numbers: 50_000,
  /** Newest events of tickets searched for decisions: a millisecond when there are none. */
  events: 5_000,
  /** More rows than any table has. */
  everything: 2_147_483_647,
} as const;

/** Folding of pending changes into the counts (`server/features/tallies/`). */
export const tallyLimits = {
  /** Every minute, so that a dashboard adds up at most one minute's changes. */
  foldCrontab: '* * * * *',
  /** Changes folded in one SQL statement. */
  changesPerFold: 50_000,
} as const;

export const jobLimits = {
  /** Time within which a missed daily run is made up for. */
  dayMadeUpForMs: 23 * 3_600_000,
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

/** How long rows stay after their use. */
export const retentionSeconds = {
  /** After a session's end. A guest's sessions show when the guest was last here. */
  sessions: 7 * day,
  /** After a guest's last session, which has then been deleted. */
  guests: 7 * day,
  /** Sign-ups whose code was never entered. The person can sign up again. */
  neverVerified: day,
  /** Flows and codes count for a day; three days leave room for questions. The account data that a flow claims is deleted with it. */
  flows: 3 * day,
  /** Flows with wrong codes: a number's wrong codes count for thirty days. */
  flowsWithWrongCodes: 31 * day,
  /** SMS without their texts, to compare with the operator's bill. */
  sms: 30 * day,
} as const;

export const auditLimits = {
  /** Characters kept of a long field: an entry is a line, not a copy. */
  fieldCharacters: 300,
  /** Two years: disputes about payments seldom begin later. */
  keptDays: 730,
} as const;

/** Images; the largest upload stands in `contract/uploads.ts`. */
export const imageLimits = {
  /** Most pixels of an image; phones take 50 million. */
  pixels: 51_000_000,
  /** Scans of a JPEG; programs write twelve. Five million random bytes hold 80 sequences that look like one. */
  scans: 300,
  /** Most pixels of a progressive JPEG or an interlaced PNG, which is decoded as a whole: some 100 MB, twice that at 16 bits. */
  wholePixels: 25_000_000,
  /** Time to decode; the largest photographs take one second. */
  seconds: 5,
  /** One at a time. Waiting images have 5 MB each at most. */
  encoding: { atOnce: 1, waiting: 8, retryAfterSeconds: 2 },
  /** Age at which an image that no row names is deleted. A form that is never saved leaves one behind. */
  unusedSeconds: day,
  /** Bytes of images in memory: a large catalogue's at card size, and a few backgrounds. */
  memoryBytes: 16 * 1024 * 1024,
} as const;
