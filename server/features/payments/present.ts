import { type Payment, paymentInputs } from '#contract/payments.ts';
import { bitOf } from '#server/features/payment-feed/lines.ts';
import type { LineRow } from './store.ts';

export function presentPayment({ seenIn, paidAt, ...line }: LineRow): Payment {
  return {
    ...line,
    paidAt: paidAt.toISOString(),
    inputs: paymentInputs.filter((input) => (seenIn & bitOf(input)) !== 0),
  };
}
