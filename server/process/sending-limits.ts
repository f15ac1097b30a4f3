import { failuresOfBrokenGateway } from '#contract/sms.ts';

/** What may be sent by SMS and push, and guessed of codes; what one number and one address may ask for stands in `limits.ts`. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Messages of a day (UTC), until an administrator sets other caps; those of the database's columns. */
export const sendingCaps = {
  perDay: 500,
  perCountryAndDay: 100,
  /** At which parts of a cap administrators are told; at the whole of it nothing more is sent. */
  warnedAtPercent: [50, 80],
  /**
   * Of each cap, what is kept for messages of a class, so that none uses up the others'; what is left is for all. The part of
   * decisions is everybody's where none are sent.
   */
  keptPercent: { signup: 15, trusted: 15, decision: 20 },
} as const;

/** Codes that nobody enters, of one address or network; the sign-ups of strangers and the others are counted apart. */
export const sourceLimits = {
  windowSeconds: day,
  /** Beyond as many as were entered: who mistypes a number or two and has two people beside them goes on. */
  address: 4,
  /** Of an IPv4 /24 or an IPv6 /48. */
  network: 8,
  /** What somebody refused is told to wait while codes are on their way that may still be entered. */
  retryAfterSeconds: minute,
} as const;

/** Codes of a country that nobody enters are asked for by somebody who earns on each message (SMS pumping). */
export const breakerLimits = {
  /** So many were sent, and fewer than so many in a hundred were entered. */
  codes: 50,
  percent: 10,
  /** What one address counts for at most, and how much more for each of its codes that was entered: a dozen never open it. */
  perAddress: 3,
  perEntered: 10,
  /** The last hour's, but for those whose people are still looking for their phone. */
  windowSeconds: hour,
  graceSeconds: 3 * minute,
  /** The newest of them, so that the look stays short whatever the caps. */
  lookedAt: 1_000,
  /** What somebody refused is told to wait; the hour's figures end it by themselves. */
  retryAfterSeconds: 10 * minute,
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

/** What the panel shows and sends. */
export const panelSmsLimits = {
  deliveries: 50,
  /** Of a test message: whoever tries a gateway does not wait for long. */
  testLifetimeSeconds: 10 * minute,
} as const;

/** Time limits, size limits and counts of sending SMS through gateways, each with its reason. */
export const smsLimits = {
  /** For a gateway's whole answer to one message, a token that it needs first and a body that drips included. */
  exchangeMs: 5_000,
  /** Of these, for the connection: a gateway that is cut off has nothing of the message, and the next one gets it at once. */
  connectMs: 2_000,
  /** For it to tell whether it has a message whose sending ended in doubt: whoever waits for a code waits for this too. */
  lookUpMs: 2_000,
  /** Of an answer; those of our gateways have less than 2 KB. */
  answerBytes: 64 * 1024,
  /** Between two attempts at one message; the last holds for all further ones. A code lives through nine, a decision through 300. */
  pausesSeconds: [2, 5, 10, 20, 40, 60, 60, 60, 120, 300],
  /** Each pause is up to so much longer, by chance: what waits for one cause does not come back at one instant. */
  jitter: 0.25,
  /** Calls in a row that say nothing of their message, of all processes, after which a gateway gets one message at a time. */
  unansweredBeforePause: 3,
  /** Between those: who waits for a code while a gateway is away for a minute has it soon after; an hour's is looked for each minute. */
  gatewayPausesSeconds: [2, 5, 10, 15, 15, 15, 15, 15, 30, 60],
  /** Of what a gateway asks for by Retry-After: no longer than a code lives. */
  retryAfterAtMostSeconds: 300,
  /** For a message's turn at a gateway's rate it waits in its job; where it is further off, the job comes back for it. */
  turnSeconds: 2,
  /** Turns lie so much further apart than the rate allows: what leaves evenly does not arrive evenly. */
  turnSlack: 1.1,
  /** What messages that come back for their turn are spread by, where the gateway has no rate: so many a second. */
  spreadPerSecond: 10,
  /** Failures in a row, of all processes, of which an operator is told. */
  failuresBeforeAlarm: failuresOfBrokenGateway,
  /** Of messages of late, how many it takes and how many of a hundred must have failed for an operator to be told. */
  recentBeforeAlarm: 10,
  failedPercentBeforeAlarm: 50,
  /** A message counts half as much after so long, and a quarter after twice that. */
  recentHalfSeconds: 300,
  /** A token is renewed so long before its end, so that none ends on its way. */
  tokenMarginMs: 60_000,
  /** Of a token that does not say how long it is good for. */
  tokenSeconds: 600,
  /** Every hour, off the full hour. */
  balanceCrontab: '23 * * * *',
  /** Messages still paid for below which an operator is told: a busy day's. */
  lowBalance: 200,
  /** Of what a gateway calls a message: the longest known has 40. */
  gatewayIdCharacters: 200,
  /** Of why a message did not leave: a few gateways with a few words each. */
  failureCharacters: 300,
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
