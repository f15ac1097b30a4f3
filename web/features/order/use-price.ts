import { useEffect, useState } from 'react';
import { readCommission, type Service } from '#contract/catalogue.ts';
import { parseTypedAmount } from '#contract/money.ts';
import { listedAmount } from '#contract/pricing.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';

/** Milliseconds without typing before the commission on an amount is asked for. */
const pause = 350;

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

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
