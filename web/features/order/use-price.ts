import { readCommission, type Service } from '#contract/catalogue.ts';
import { parseTypedAmount } from '#contract/money.ts';
import { listedAmount } from '#contract/pricing.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';

/** What the chosen service costs, in CFA francs; `undefined` parts are not known yet. */
export function usePrice(services: Service[], typedAmount: string) {
  const service = services.at(-1) as Service;
  const amount = service.allowUserPriceInput ? parseTypedAmount(typedAmount) : listedAmount(services);
  const askedAmount = useDebounced(amount);
  const asked = useEndpoint(
    readCommission,
    { params: { serviceId: String(service.id) }, query: { userPrice: String(askedAmount ?? 0) } },
    { enabled: (askedAmount ?? 0) > 0, freshForMs: freshForMs.commission },
  );
  const free = amount === 0 ? 0 : undefined;
  const commission = amount === askedAmount ? (asked.data?.commission ?? free) : undefined;
  const total = amount === undefined || commission === undefined ? undefined : amount + commission;
  return { amount, commission, total, failed: asked.isError, retry: asked.refetch };
}
