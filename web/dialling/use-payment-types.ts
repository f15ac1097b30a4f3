import { listPaymentTypes } from '#contract/payment-types.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';

/** The active payment types, each with the operator whose SIM dials its codes. */
export function usePaymentTypes() {
  return useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes, keep: true });
}
