export interface SmsMessage {
  /** E.164. */
  to: string;
  text: string;
}

/**
 * Certainly not accepted: refused, or `unreachable`. Or in doubt or too busy (`unknown`): the message is tried again later. `failure` is
 * in French for operators, without a number, a text or a key.
 */
export interface NotSent {
  kind: 'refused' | 'unreachable' | 'unknown';
  failure: string;
  /** The subject of a refusal, if known: a number that gets no SMS, or an account that may not send now. */
  about?: 'number' | 'account' | undefined;
  /** The wait that the gateway asks for; `smsLimits.retryAfterAtMostSeconds` at most. */
  retryAfterSeconds?: number | undefined;
  /** Whether the gateway got more messages than it takes in a time. */
  isThrottled?: boolean;
}

export type SmsOutcome = { kind: 'sent' } | NotSent;

/** A service that delivers messages. */
export interface SmsGateway {
  readonly name: string;
  /** Answers within `smsLimits.exchangeMs`. An exception counts as `unknown`. */
  send(message: SmsMessage): Promise<SmsOutcome>;
}

/** The gateways that carry a message, in the order in which they are tried. */
export interface SmsRoute {
  /** All of them, in the order of the settings. */
  readonly gateways: readonly SmsGateway[];
  /** The gateways of a country, such as '226', in the order of the settings; all of them for a number outside the seven countries. */
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
