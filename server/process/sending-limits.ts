import { failuresOfBrokenGateway } from '#contract/sms.ts';

/** What may be sent by SMS and push, and guessed of codes; what one number and one address may ask for stands in `limits.ts`. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Messages of a day (UTC) to one country. */
export const sendingCaps = {
  /** Until an administrator sets another cap. */
  perCountryAndDay: 500,
  /** Of each cap, what is kept for decisions and for browsers that signed in before. */
  keptPercent: 25,
  /** At which part of a cap administrators are told; at the whole of it no code and no decision is sent. */
  warnedAtPercent: 80,
} as const;

/**
 * Codes that were sent and never entered, of one address or network. They do not hold where at least half of a day's codes
 * from there were entered: one address may be a whole operator's.
 */
export const sourceLimits = {
  hourSeconds: hour,
  daySeconds: day,
  addressAnHour: 20,
  addressADay: 40,
  /** Of an IPv4 /24 or an IPv6 /48. */
  networkADay: 120,
} as const;

/**
 * Wrong codes of flows that were never proven, of sign-ups and of resets each, up to which a right code suffices. The one that is
 * being tried is among them, so these are the guesses that may succeed by four digits; `docs/security.md` says what they come to.
 */
export const secondCodeLimits = {
  /** Of all numbers, but for flows of browsers that know the account: a day of people who mistype and give up has one or two. */
  ofAll: 12,
  ofAllSeconds: day,
  /** Of one number. */
  ofNumber: 15,
  ofNumberSeconds: 30 * day,
} as const;

/** Times, sizes and counts of sending SMS through gateways, each with its reason. */
export const smsLimits = {
  /** For a gateway's whole answer to one message, a token that it needs first included. */
  exchangeMs: 5_000,
  /** Of an answer; those of known gateways have less than 2 KB. */
  answerBytes: 64 * 1024,
  /** Of what a gateway asks for by Retry-After: a code lives for five minutes. */
  retryAfterAtMostSeconds: 120,
  /**
   * Over which messages are spread that a gateway found too many in a time: of 60 codes at once through one that takes five a
   * second the last leaves after some 30 s.
   */
  throttledSpreadSeconds: 10,
  /** The queue's retries, whose pauses grow to six hours: more than a decision's day has. */
  jobAttempts: 25,
  /** Failures in a row, of all processes, of which an operator is told. */
  failuresBeforeAlarm: failuresOfBrokenGateway,
  /** A token is renewed so long before its end, so that none ends on its way. */
  tokenMarginMs: 60_000,
  /** Of a token that does not say how long it is good for. */
  tokenSeconds: 600,
  /** Of a test message: whoever tries a gateway does not wait for long. */
  testLifetimeSeconds: 10 * minute,
} as const;

/** Telling people by push: every time, size and count, each with its reason. */
export const pushLimits = {
  /** Browsers of one person: a phone, a tablet, shared computers. The oldest go. */
  perUser: 10,
  /** For a push service to answer: its reply is a line, and a job in hand keeps others waiting. */
  requestMs: 5_000,
  /** News of a ticket is worth something for a day; then the app tells it by itself. */
  lifetimeSeconds: 24 * hour,
  /** For one browser: the queue's pauses grow by e, so a service may be away for half an hour. */
  tries: 8,
  /** Queues, each one job at a time: of the jobs that a process does at once, these leave two for messages with codes. */
  queues: 2,
  /** Behind everything else that is due: the higher the later. */
  priority: 10,
} as const;
