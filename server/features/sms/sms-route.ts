export interface SmsMessage {
  /** E.164. */
  to: string;
  text: string;
}

/**
 * Not taken for certain: refused, or not reached (`unreachable`). Or in doubt or too busy (`unknown`): the same message is
 * tried again later. `failure` is in French for operators, without a number, a text or a key.
 */
export interface NotSent {
  kind: 'refused' | 'unreachable' | 'unknown';
  failure: string;
  /** What a refusal is about, where that is known: a number that gets no SMS, or an account that may not send any now. */
  about?: 'number' | 'account' | undefined;
  /** What the gateway asks to wait; `smsLimits.retryAfterAtMostSeconds` at most. */
  retryAfterSeconds?: number | undefined;
  /** Whether it takes fewer messages in a time than it was given. */
  isThrottled?: boolean;
}

export type SmsOutcome = { kind: 'sent' } | NotSent;

/** Whatever delivers messages. */
export interface SmsGateway {
  readonly name: string;
  /** Answers within `smsLimits.exchangeMs`. An exception counts as `unknown`. */
  send(message: SmsMessage): Promise<SmsOutcome>;
}

/** Which gateways carry a message, and in which order they are tried. */
export interface SmsRoute {
  /** All of them, in the order of the settings. */
  readonly gateways: readonly SmsGateway[];
  /** Those of a country, such as '226', in the order of the settings; all for a number of none of the seven. */
  listFor(dialCode: string): readonly SmsGateway[];
}

/** A route by country. */
export function createRoute(
  gateways: readonly SmsGateway[],
  byDialCode: ReadonlyMap<string, readonly SmsGateway[]>,
): SmsRoute {
  return { gateways, listFor: (dialCode) => byDialCode.get(dialCode) ?? gateways };
}

/** A route through one gateway for every number. */
export const routeThrough = (gateway: SmsGateway): SmsRoute => createRoute([gateway], new Map());
