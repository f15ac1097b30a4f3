import { countries } from '#contract/phone.ts';
import type { SmsGateway } from './gateway.ts';

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
