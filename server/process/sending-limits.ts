import { failuresOfBrokenGateway } from '#contract/sms.ts';

/** Limits on sending SMS and push, and on guessing codes. Limits per number and per address are in `limits.ts`. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** SMS to one country in a day (UTC). */
export const sendingCaps = {
  /** Default cap, which administrators can change. */
  perCountryAndDay: 500,
  /** Share of each cap reserved for decisions and known browsers. */
  keptPercent: 25,
  /** Share of a cap at which administrators are warned. At the full cap no code and no decision is sent. */
  warnedAtPercent: 80,
} as const;

/**
 * Sent codes of one address or network that were never entered. The limits do not apply where at least half of a day's codes from there
 * were entered: one address may be a whole operator's.
 */
export const sourceLimits = {
  hourSeconds: hour,
  daySeconds: day,
  addressAnHour: 20,
  addressADay: 40,
  /** Per IPv4 /24 or IPv6 /48. */
  networkADay: 120,
} as const;

/**
 * Wrong codes of unproven flows, counted separately for sign-ups and resets, up to which one right code suffices. The current try counts.
 * So these are all the guesses that can succeed with four digits; `docs/security.md` gives the odds.
 */
export const secondCodeLimits = {
  /** For all numbers together, without flows of known browsers. People who mistype and give up cause one or two a day. */
  ofAll: 12,
  ofAllSeconds: day,
  /** Per number. */
  ofNumber: 15,
  ofNumberSeconds: 30 * day,
} as const;

/** Sending SMS through gateways. */
export const smsLimits = {
  /** Time for a gateway's whole answer to one message, including a token that it needs first. */
  exchangeMs: 5_000,
  /** Longest answer that is read; known gateways send less than 2 KB. */
  answerBytes: 64 * 1024,
  /** Longest Retry-After that is obeyed: a code lives five minutes. */
  retryAfterAtMostSeconds: 120,
  /**
   * Messages that a gateway throttled are spread over this time. Of 60 codes at once, at five a second, the last leaves after some 30 s.
   */
  throttledSpreadSeconds: 10,
  /** The queue's attempts. Their pauses grow to six hours: more than the day that a decision's SMS has. */
  jobAttempts: 25,
  /** Failures in a row, over all processes, before an alarm. */
  failuresBeforeAlarm: failuresOfBrokenGateway,
  /** A token is renewed this long before its end, so that none expires on its way. */
  tokenMarginMs: 60_000,
  /** Lifetime of a token that states none. */
  tokenSeconds: 600,
  /** Lifetime of a test message: a person waits for it. */
  testLifetimeSeconds: 10 * minute,
} as const;

/** Push notifications. */
export const pushLimits = {
  /** Browsers of one person: a phone, a tablet, shared computers. Beyond it the oldest is removed. */
  perUser: 10,
  /** Time for a push service to answer: its reply is one line, and other jobs wait meanwhile. */
  requestMs: 5_000,
  /** How long a push service tries to deliver: a day-old decision is seen in the app anyway. */
  lifetimeSeconds: 24 * hour,
  /** Tries for one browser. The queue's pauses grow by e, so a service may be down for half an hour. */
  tries: 8,
  /** Queues, each running one job at a time: this leaves two of a process's job places to messages with codes. */
  queues: 2,
  /** A higher number runs later: after every other due job. */
  priority: 10,
} as const;
