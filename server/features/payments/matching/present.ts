import { type Payment, paymentInputs } from '#contract/payments.ts';
import { bitOf } from '#server/features/payments/intake/lines.ts';
import type { LineRow } from './store.ts';

/** A line as the API shows one, with the inputs that told of it. */
export const presentPayment = ({ seenIn, paidAt, ...line }: LineRow): Payment => ({
  ...line,
  paidAt: paidAt.toISOString(),
  inputs: paymentInputs.filter((input) => (seenIn & bitOf(input)) !== 0),
});
