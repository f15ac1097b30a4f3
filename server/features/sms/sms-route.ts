import { countries } from '#contract/phone.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import type { SmsGateway, SmsOutcome } from './gateway.ts';

/** Which gateways carry a message, and in which order they are tried. */
export interface SmsRoute {
  /** All of them, in the order of their places. */
  readonly gateways: readonly SmsGateway[];
  /** Those of a country, such as '226', in the order that the settings name. */
  listFor(dialCode: string): readonly SmsGateway[];
  /**
   * Those to try now for a number: those that failed repeatedly a moment ago come last, and behind them the `doubtful`, which
   * may have the message already.
   */
  order(to: string, doubtful?: readonly string[]): SmsGateway[];
  /** Hears how a gateway did. */
  note(name: string, kind: SmsOutcome['kind']): void;
}

/** The dial codes of the seven countries, without their plus. */
const dialCodes = countries.map(({ code }) => code.slice(1));

/**
 * A route by country. A number of none of the seven, such as an operator's own, goes through those that serve every number.
 * What is noted stays in this process, and `now` is in milliseconds.
 */
export function createRoute(
  gateways: readonly SmsGateway[],
  byDialCode: ReadonlyMap<string, readonly SmsGateway[]>,
  now: () => number = () => performance.now(),
): SmsRoute {
  const troubles = new Map<string, { inARow: number; restsUntil: number }>();
  const everywhere = gateways.filter((each) => each.dialCodes === undefined);
  const listFor = (dialCode: string) => byDialCode.get(dialCode) ?? everywhere;
  return {
    gateways,
    listFor,
    order(to, doubtful = []) {
      const rests = (name: string) => (troubles.get(name)?.restsUntil ?? 0) > now();
      const rank = ({ name }: SmsGateway) => (doubtful.includes(name) ? 2 : rests(name) ? 1 : 0);
      return listFor(to.slice(1, 4)).toSorted((one, other) => rank(one) - rank(other));
    },
    note(name, kind) {
      if (kind === 'sent') {
        troubles.delete(name);
        return;
      }
      const inARow = (troubles.get(name)?.inARow ?? 0) + 1;
      const isTired = inARow >= smsLimits.failuresBeforeRest;
      troubles.set(name, { inARow, restsUntil: isTired ? now() + smsLimits.restMs : 0 });
    },
  };
}

/** A route through one gateway for every number. */
export function routeThrough(gateway: SmsGateway): SmsRoute {
  return createRoute([gateway], new Map(dialCodes.map((code) => [code, [gateway]])));
}
