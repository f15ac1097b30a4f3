import { readCommission, type Service } from '#contract/catalogue.ts';
import { parseTypedAmount } from '#contract/money.ts';
import { listedAmount } from '#contract/pricing.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useSettled } from '#web/api/use-settled.ts';

/** What the chosen service costs, in CFA francs; `undefined` parts are not known yet. */
export function usePrice(services: Service[], typedAmount: string) {
  const service = services.at(-1) as Service;
  const amount = service.allowUserPriceInput ? parseTypedAmount(typedAmount) : listedAmount(services);
  const settled = useSettled(amount);
  const asked = useEndpoint(
    readCommission,
    { params: { serviceId: String(service.id) }, query: { userPrice: String(settled ?? 0) } },
    { enabled: (settled ?? 0) > 0, freshFor: 0 },
  );
  const free = amount === 0 ? 0 : undefined;
  const commission = amount === settled ? (asked.data?.commission ?? free) : undefined;
  const total = amount === undefined || commission === undefined ? undefined : amount + commission;
  return { amount, commission, total, failed: asked.isError, retry: asked.refetch };
}
