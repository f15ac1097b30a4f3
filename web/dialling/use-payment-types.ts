import { listPaymentTypes } from '#contract/payment-types.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';

/** The payment types on offer, each with the operator whose SIM its codes are dialled from. */
export function usePaymentTypes() {
  return useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes, keep: true });
}
