export interface SmsMessage {
  /** E.164. */
  to: string;
  text: string;
  /** Our name for it, a UUID: the same in every attempt. */
  reference: string;
}

/** It was taken; `gatewayId` is what the gateway calls it. */
export interface Sent {
  kind: 'sent';
  gatewayId: string | null;
}

/**
 * It was not taken, for sure: the gateway refused it (`refused`), or was not reached or too busy (`unreachable`). Or it is
 * in doubt (`unknown`): the answer did not come, or cannot be read. `failure` is in French words for operators, without a number,
 * a text or a key.
 */
export interface NotSent {
  kind: 'refused' | 'unreachable' | 'unknown';
  failure: string;
  /** What a refusal is about, where that is known: a number that gets no SMS, or an account that may not send any now. */
  about?: 'number' | 'account' | undefined;
  /** What the gateway asks to wait; `smsLimits.retryAfterAtMostSeconds` at most. */
  retryAfterSeconds?: number | undefined;
}

export type SmsOutcome = Sent | NotSent;

/** Messages still paid for: where they are bought by country, of the one that has fewest, such as '226'. */
export interface Balance {
  units: number;
  dialCode?: string;
}

/** Whatever delivers messages. */
export interface SmsGateway {
  readonly name: string;
  /** Countries that it serves, such as '226'; undefined for every number there is. */
  readonly dialCodes: readonly string[] | undefined;
  /** Messages a second that it takes; undefined where it sets no limit. */
  readonly perSecond?: number | undefined;
  /** Answers within `smsLimits.exchangeMs`. An exception counts as `unknown`. */
  send(message: SmsMessage): Promise<SmsOutcome>;
  /**
   * What became of a message whose sending, `since` some time ago, ended in doubt; undefined where it has none such, or does
   * not tell.
   */
  find?(message: SmsMessage, since: Date): Promise<SmsOutcome | undefined>;
  /** Why our keys are not accepted, undefined where they are: asked without a message and without cost. */
  checkKeys?(): Promise<NotSent | undefined>;
  /** Messages still paid for, or why that is not known. */
  readBalance?(): Promise<Balance | { failure: string }>;
}
