import { readCommission, type Service } from '#contract/catalogue.ts';
import { commissionOn, commissionRuleOf, listedAmount } from '#contract/pricing.ts';
import { parseTypedAmount } from '#contract/typed-amount.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';

export interface ShownPrice {
  /** All in CFA francs; `undefined` while unknown. */
  amount: number | undefined;
  commission: number | undefined;
  total: number | undefined;
  asking: boolean;
  /** The total, requested if unknown. Throws as calls do; `undefined` without an amount. */
  requireTotal: () => Promise<number | undefined>;
}

/** The price of the chosen service. */
export function usePrice(services: Service[], typedAmount: string): ShownPrice {
  const call = useCall();
  const service = services.at(-1) as Service;
  const amount = service.allowUserPriceInput ? parseTypedAmount(typedAmount) : listedAmount(services);
  const askedAmount = useDebounced(amount);
  const inputOf = (francs: number) => ({
    params: { serviceId: String(service.id) },
    query: { userPrice: String(francs) },
  });
  const asked = useEndpoint(readCommission, inputOf(askedAmount ?? 0), {
    enabled: (askedAmount ?? 0) > 0,
    freshForMs: freshForMs.commission,
  });

  const requireTotal = async () => {
    if (!amount) return amount;
    const { commission } = await call(readCommission, inputOf(amount));
    return amount + commission;
  };
  // The catalogue's own rule answers where the server does not; an outdated total is refused (P7.11).
  const isLost = asked.isError || asked.isPaused;
  const known = isLost ? commissionOn(amount ?? 0, commissionRuleOf(service)) : asked.data?.commission;
  const commission = amount === 0 ? 0 : amount === askedAmount ? known : undefined;
  const total = amount === undefined || commission === undefined ? undefined : amount + commission;
  return {
    amount,
    commission,
    total,
    asking: amount !== undefined && total === undefined,
    requireTotal: total === undefined ? requireTotal : async () => total,
  };
}
