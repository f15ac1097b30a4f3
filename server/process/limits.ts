/**
 * Every time limit, size limit and period of the server, each with its reason. What the two sides must agree on stands in
 * the contract instead: the length and pauses of codes in `contract/auth.ts`, the largest image in `contract/uploads.ts`, the
 * highest amount in `contract/money.ts`.
 */
import { resetTokenSeconds } from '#contract/auth.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Connections and requests. */
export const httpLimits = {
  /** For a request to arrive whole: a statement of 32 MB takes 17.5 minutes at 256 kb/s. Without a file the handler's time ends it first. */
  requestMs: 1_200_000,
  /** Between two looks at a file on its way: without a byte since the last one it is given up. A phone that changes its cell is silent for seconds. */
  uploadLookMs: 25_000,
  /** For its headers alone: no phone needs longer, and a slow-header attack keeps few connections. */
  headersMs: 10_000,
  /** How often connections are checked for these two. */
  lateCheckMs: 5_000,
  /** For a refusal to leave, before its connection is destroyed: a peer that never closes its end would keep it. */
  refusalMs: 5_000,
  /** Without a byte on the connection, which has none while a handler works. */
  idleConnectionMs: 200_000,
  /** Longer than the 60 s after which proxies give up an idle connection, so that they do, and not we. */
  keepAliveMs: 65_000,
  /** A handler's time: four statements at their own limit. */
  handlerMs: 20_000,
  /** What a handler does with a file that has arrived … */
  uploadWorkMs: 180_000,
  /** … and its whole time: `requestMs` until the file is there, and that. */
  uploadHandlerMs: 1_380_000,
  /** Sending a file that is made meanwhile: an hour is a million tickets at 0.2 Mb/s. */
  downloadMs: 3_600_000,
  /** At once: 120 MB, and a sixth of the file descriptors of ops/systemd. One of a phone stands for a screen that is open. */
  connections: 10_000,
  /** Files that the process opens besides: 40 when idle, and those of the database's pool, jobs and exports. */
  otherFiles: 72,
  /** Files of one connection: its own, and one that it is sent. */
  filesPerConnection: 2,
  /** Fewer connections than a few browsers open are no service. */
  fewestConnections: 20,
  /** Sent on one connection before the answer to an earlier one has left: no browser sends any. */
  requestsWaiting: 20,
  /** Spreads long-lived connections over the processes behind a balancer. */
  requestsPerConnection: 10_000,
  /** A JSON body: twice the longest content page. */
  bodyBytes: 256 * 1024,
  /** The JSON field of a multipart body: a service with its 50 ranges. */
  fieldBytes: 64 * 1024,
  /** Fields and parts of a form, and headers of a part: ours have two parts of three headers. */
  formFields: 10,
  formParts: 12,
  partHeaders: 50,
  /** A path parameter: the longest slug, and some. */
  parameterCharacters: 100,
  /** Requests from one address before it is a flood; thousands of phones may share one (carrier-grade NAT). */
  requestsPerPeriod: 6_000,
  requestsPeriodMs: minute * 1_000,
  /** Answers from memory to one address, beyond which they count as requests: 3,000 phones with an open screen poll so often. */
  answersPerPeriod: 60_000,
  /** Addresses whose answers from memory are counted one by one, and likewise those of early errors: 5 MB each. */
  addressesCounted: 50_000,
  /** Complaints about one call that its answer lists: a form has fewer fields, and an attack should not be echoed. */
  issuesTold: 20,
  /** Time without a turn of the event loop after which answers are 503. */
  eventLoopMs: 5_000,
  /** Over which it is measured. */
  eventLoopSampleMs: 1_000,
  /** A year, which is HTTP's for ever: how long a browser keeps what never changes under its name, and https alone. */
  foreverSeconds: 31_536_000,
  /** Retry-After of a refusal while the database or the event loop is not available. */
  retryAfterSeconds: 5,
} as const;

/** Looks for what a caller names as theirs, a session or the secret of a source: anybody can invent such names. */
export const lookLimits = {
  /** Of the process's connections; the others stay for those who are known. */
  atOnce: 4,
  /** A quarter of a second. After an outage all sessions are looked for anew. */
  waiting: 1_000,
  retryAfterSeconds: 3,
} as const;

/** The work on a statement that has arrived: it waits, is read and is written, each with a sentence of its own where it takes too long. */
export const statementClocks = {
  /** Files that wait for the one that is read. */
  waiting: 1,
  /** For one file: 200,000 rows take 20 s on a slow machine. */
  readMs: 40_000,
  /** After which no more rows are written: 200,000 take ten seconds. */
  writeMs: 60_000,
} as const;

/** Stopping. The service manager kills after 10 s, and PostgreSQL needs the last of them. */
export const stopLimits = {
  /** For requests under way to finish, before their connections are cut. */
  drainMs: 5_000,
  /** For these, and all else that needs the database, before the database is stopped whatever hangs. */
  othersMs: 6_500,
  /** For everything; the process leaves then, whatever hangs. */
  wholeMs: 9_000,
  /** For PostgreSQL, by its own count. */
  databaseSeconds: 8,
} as const;

/** The database. */
export const databaseLimits = {
  /** A statement: none of ours takes a second. */
  statementMs: 5_000,
  /** A wait for a lock: shorter than a statement, so that the failure names the lock. */
  lockMs: 2_000,
  /** The same for a user's turn to file: equal orders, sent at once, wait for the first and are answered with its ticket. */
  filingTurnMs: 4_500,
  /** A wait for another process that does what is done once: it writes hundreds of rows, and may have the machine against it. */
  onceMs: 30_000,
  /** A transaction left open by a process that hangs holds its locks no longer. */
  idleInTransactionMs: 10_000,
  /** For a connection, in line behind others: as long as their statements may take; an absent server refuses at once. */
  connectMs: 5_000,
  /** For a connection at the start, when no request waits yet. */
  connectAtStartMs: 5_000,
  /** Until an unused connection is closed. */
  idleConnectionMs: 30_000,
  /** Connections of a process; with the jobs', three processes fit in the embedded server's 60. */
  connections: 15,
  /** For the embedded PostgreSQL to start, recovery after a crash included. */
  startSeconds: 60,
  /**
   * For an answer to a statement: a server that a broken network hides says nothing at all. Above a statement's own limit, and
   * below a handler's. A commit that waits for another server's copy may take longer: then nobody knows whether it was done.
   */
  answerMs: 8_000,
  /** Until the system looks whether an idle connection still has another end. */
  keepAliveMs: 10_000,
  /** Statements that wait for a connection of a process, each some milliseconds: more are not begun. */
  waitingAtMost: 200,
  /** How often a start, or a stop, looks whether it is done. */
  startLookMs: 50,
} as const;

/** Keeping the embedded PostgreSQL up. */
export const supervisionLimits = {
  /** How often it is looked at, and started again where it is gone. */
  lookMs: 1_000,
  /** A start that does not last so long was none. */
  steadyMs: 10_000,
  /** After longer trouble the process ends, for its supervisor to restart. */
  giveUpMs: minute * 1_000,
} as const;

/**
 * How often, per key and period. Counted in PostgreSQL, so that a restart or a second process forgets nothing. The limits
 * by address are wide: a mobile operator puts thousands of people behind one (carrier-grade NAT).
 */
export const rateLimits = {
  /** A market day: thirty sign-ups and resets of an address in half an hour, each mistyped twice. */
  codesFailedPerAddress: { points: 120, seconds: hour },
  /** Key: purpose and phone. With three tries per code, a day's chance of guessing one number's code is 1 in 1,000. */
  codesFailedPerPhone: { points: 10, seconds: day },
  /** Answers to sign-ups and resets that send nothing, and so tell who has an account. A market's people mistype less often. */
  accountsToldPerAddress: { points: 120, seconds: hour },
  /** Each writes a row that stays for a week. */
  guestsPerAddress: { points: 120, seconds: hour },
  /** An administrator who gives a hundred services their pictures works for an hour; each is decoded and kept. */
  imagesPerAdministrator: { points: 200, seconds: hour },
  /** A busy till gets some ten payments a minute; a phone that was without a line sends a day's at once. */
  paymentFeedPerSource: { points: 3_000, seconds: hour },
  /** Each is read by a thread. */
  statementsPerAdministrator: { points: 60, seconds: hour },
  /** Each costs an SMS, and goes to any number. */
  testSmsPerAdministrator: { points: 10, seconds: hour },
  /** Each is a row of the audit log; who looks for the right name changes it a few times. */
  profileChangesPerPerson: { points: 30, seconds: hour },
  /** A cash desk that checks ten receipts a minute; phones behind one address share it. */
  receiptsPerAddress: { points: 600, seconds: hour },
  /** Every home page calls it once, and it does nothing. */
  starterDataPerAddress: { points: 600, seconds: hour },
  /** Key: account, and address or known browser. Five typing errors in a row are rare; a success begins anew. */
  signInTries: { points: 5, seconds: day, waits: { firstSeconds: minute, mostSeconds: 4 * hour } },
  /** Of all accounts, from browsers they do not know: a market behind one address goes on at a failure in five seconds. */
  signInFailuresPerAddress: { points: 200, seconds: 15 * minute },
  /** From browsers that the account does not know, however many addresses guess; then the reset by SMS is the way in. */
  signInFailuresPerAccount: { points: 100, seconds: day },
} as const satisfies Record<string, RateLimit>;

export interface RateLimit {
  points: number;
  seconds: number;
  /** Once the points are used up: a wait, twice as long each time within `seconds`, after which the points are there again. */
  waits?: { firstSeconds: number; mostSeconds: number };
}

/** Sign-ins; how many may fail stands in `rateLimits`. */
export const signInLimits = {
  /** Of the cookie of a browser that signed in before: a year, renewed each time. */
  knownBrowserCookieSeconds: 365 * day,
  /** Accounts that a browser is known for: a family's phone has fewer. */
  accountsPerBrowser: 5,
  /**
   * People with one e-mail address whose password is compared; addresses are not proven, so several people may have one. A
   * second or two of hashing, in turn with others; each is a try that its address has too few of to make many.
   */
  candidates: 20,
} as const;

/** Codes, beyond what the contract says of them. Their database columns hold the tries to three as well. */
export const codeLimits = {
  /** Each costs an SMS; with the tries they bound what a day of guessing one number is worth. */
  perNumberAndDay: 5,
  /** Over which codes, flows and failures are counted. */
  daySeconds: day,
  /** Flows of one number that a sign-in before verification looks through for its password: all that a day can have. */
  flowsCompared: 5,
  /** The cookie that ties a code to its browser: as long as the day over which codes are counted. */
  flowCookieSeconds: day,
  /** Time to think of a new password, and little for the finder of a phone. */
  resetTokenSeconds,
} as const;

/** Sessions: a user's from its last use, an administrator's from its start, used or not. */
export const sessionLimits = {
  /** P2.5: a person signs in once on their own phone. */
  userSeconds: 30 * day,
  /** A working day: what an administrator may do is worth stealing. */
  adminSeconds: 12 * hour,
  /** A session is renewed once it has aged so much: once a day of use, and not with every poll. */
  renewAfterSeconds: day,
  /** Of one account: a phone, a tablet, a shared computer, many times over. The oldest end. */
  perAccount: 50,
  /** Of a session's cookie: ours have 43, and a longer one is not looked up. */
  cookieCharacters: 100,
} as const;

/** Reports of codes that do not work (P9.12). */
export const dialCodeLimits = {
  /** People within the time below who report one template: one may have mistyped, and two may know each other. */
  peopleBeforeAlarm: 3,
  reportSeconds: day,
} as const;

/** How a search chooses its way; each figure was measured at a million tickets (`npm run bench -- lists`). */
export const searchLimits = {
  /** So many paths are each asked for their first tickets; more are first looked for among the first of all. */
  fewPaths: 40,
  /** The tickets of so many users are all sorted; those of more are looked for in the order of all. */
  fewUsers: 1_000,
  /** How many of the first tickets of a list are looked through before others: some milliseconds. */
  first: 5_000,
  /** Ticket numbers with the digits searched for that are looked up one by one; more are found among the first. */
  numbers: 50_000,
  /** The newest events of tickets among which decisions are looked for: a millisecond where there are none. */
  events: 5_000,
  /** More than any table has. */
  everything: 2_147_483_647,
} as const;

/** Folding counts that have gathered (`server/features/tallies/`). */
export const tallyLimits = {
  /** Every minute: a dashboard then adds up what a minute brought. */
  foldCrontab: '* * * * *',
  /** In one statement. */
  changesPerFold: 50_000,
} as const;

export const jobLimits = {
  /** A day's run that was missed, since nothing ran at its hour, is made up for within this. */
  dayMadeUpForMs: 23 * 3_600_000,
  /** Jobs at a time: an SMS is mostly waiting for its operator, and each holds a connection for a moment only. */
  concurrency: 4,
  /** Every hour, off the full hour at which everybody else's jobs run. */
  cleanUpCrontab: '7 * * * *',
  /** Rows deleted in one statement, so that each ends well before the statement's limit. */
  rowsPerDeletion: 1_000,
  /** How often a worker polls for jobs without a notification, such as those that come due: well within 5 s. */
  pollMs: 2_000,
  /** Between two tries to reach a database that is away: messages that wait leave within 5 s of its return. */
  retryMs: 500,
  /** How often a process says that it still has its jobs in hand: four times in the life of a lease. */
  renewMs: 5_000,
  /** Without a word for so long a process is dead and its jobs go to the others: in time for a code of five minutes. */
  leaseSeconds: 20,
} as const;

/** How long rows are kept that are no longer needed. */
export const retentionSeconds = {
  /** After their end. Until then a guest's sessions tell when the guest was last here. */
  sessions: 7 * day,
  /** After their last session: a guest who comes back finds the session gone by then. */
  guests: 7 * day,
  /** Sign-ups whose code was never entered; the person can sign up again. */
  neverVerified: day,
  /** Flows and their codes count among the day's; three days leave room for questions. The account that one claims goes then, too. */
  flows: 3 * day,
  /** Flows with wrong codes that count: those of a number are counted over thirty days. */
  flowsWithWrongCodes: 31 * day,
  /** Their traces, without the text: what an operator's bill is compared with. */
  sms: 30 * day,
} as const;

export const auditLimits = {
  /** The beginning of a long field: an entry is a line, not a copy. */
  fieldCharacters: 300,
  /** Two years: a dispute about a payment seldom begins later. */
  keptDays: 730,
} as const;

/** Images; the largest upload stands in `contract/uploads.ts`. */
export const imageLimits = {
  /** Photographs of phones have 50 million at most. */
  pixels: 51_000_000,
  /** Of a JPEG; programs write twelve. Five million bytes of anything have 80 places that look like one. */
  scans: 300,
  /** Of one that is decoded as a whole, a progressive JPEG or an interlaced PNG: some 100 MB, of 16 bits twice that. */
  wholePixels: 25_000_000,
  /** The largest photographs take one. */
  seconds: 5,
  /** One at a time; those that wait have 5 MB each at most. */
  encoding: { atOnce: 1, waiting: 8, retryAfterSeconds: 2 },
  /** How long an image that no row names stays: a form that is never saved leaves one behind. */
  unusedSeconds: day,
  /** Images kept in memory: a large catalogue's at the size of its cards, and a few backgrounds. */
  memoryBytes: 16 * 1024 * 1024,
} as const;
