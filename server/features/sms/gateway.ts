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
 * It was not taken, for sure: the gateway refused it, and would again (`refused`), or was not reached or too busy
 * (`unreachable`). Or nobody knows (`unknown`): the answer did not come, or cannot be read. `failure` is in French words for
 * operators, without a number, a text or a key.
 */
export interface NotSent {
  kind: 'refused' | 'unreachable' | 'unknown';
  failure: string;
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
  /** Answers within `smsLimits.exchangeMs`. Where it throws all the same, nobody knows. */
  send(message: SmsMessage): Promise<SmsOutcome>;
  /** What became of a message whose sending ended in doubt; undefined where it has none of that name, or does not tell. */
  find?(reference: string): Promise<SmsOutcome | undefined>;
  /** Messages still paid for, or why that is not known. */
  readBalance?(): Promise<Balance | { failure: string }>;
}
