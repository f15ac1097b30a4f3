import { failuresOfBrokenGateway } from '#contract/sms.ts';

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
