import { failuresOfBrokenGateway } from '#contract/sms-panel.ts';

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
  /** Failures in a row, in this process, after which a gateway is tried last. */
  failuresBeforeRest: 3,
  /** For so long: of a gateway that is dead, one message a minute pays for finding out. */
  restMs: 60_000,
  /** Failures in a row, of all processes, of which an operator is told. */
  failuresBeforeAlarm: failuresOfBrokenGateway,
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
