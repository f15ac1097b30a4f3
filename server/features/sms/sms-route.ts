import { countries } from '#contract/phone.ts';

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
 * Not taken: refused, or not reached or too busy (`unreachable`). Or in doubt (`unknown`): no answer, or none to be read.
 * `failure` is in French for operators, without a number, a text or a key.
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
  /** The outcome of a message whose sending, `since` some time ago, ended in doubt; undefined where it cannot tell. */
  find?(message: SmsMessage, since: Date): Promise<SmsOutcome | undefined>;
  /** Why our keys are not accepted, undefined where they are: asked without a message and without cost. */
  checkKeys?(): Promise<NotSent | undefined>;
  /** Messages still paid for, or why that is not known. */
  readBalance?(): Promise<Balance | { failure: string }>;
}

/** Which gateways carry a message, and in which order they are tried. */
export interface SmsRoute {
  /** All of them, in the order of their places. */
  readonly gateways: readonly SmsGateway[];
  /** Those of a country, such as '226', in the order that the settings name. */
  listFor(dialCode: string): readonly SmsGateway[];
  /** Those to try for a number, in that order, and behind them the `doubtful`, which may have the message already. */
  order(to: string, doubtful?: readonly string[]): SmsGateway[];
}

/** The dial codes of the seven countries, without their plus. */
const dialCodes = countries.map(({ code }) => code.slice(1));

/** A route by country. A number of none of the seven, such as an operator's own, goes through those that serve every number. */
export function createRoute(
  gateways: readonly SmsGateway[],
  byDialCode: ReadonlyMap<string, readonly SmsGateway[]>,
): SmsRoute {
  const everywhere = gateways.filter((each) => each.dialCodes === undefined);
  const listFor = (dialCode: string) => byDialCode.get(dialCode) ?? everywhere;
  return {
    gateways,
    listFor,
    order(to, doubtful = []) {
      const rank = ({ name }: SmsGateway) => Number(doubtful.includes(name));
      return listFor(to.slice(1, 4)).toSorted((one, other) => rank(one) - rank(other));
    },
  };
}

/** A route through one gateway for every number. */
export function routeThrough(gateway: SmsGateway): SmsRoute {
  return createRoute([gateway], new Map(dialCodes.map((code) => [code, [gateway]])));
}
