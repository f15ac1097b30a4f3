import { approvePayments } from '#contract/payments.ts';
import type { useCall } from '#web/api/use-call.ts';

/**
 * Approves tickets together with the lines that surely pay them, so that no line is left to pay another one. Answers why
 * that was refused, by the ticket: those are as they were, for a person to look at again.
 */
export async function approvePaid(
  call: ReturnType<typeof useCall>,
  pairs: readonly { lineId: number; ticketId: number }[],
): Promise<ReadonlyMap<number, string>> {
  const { results } = await call(approvePayments, { body: { pairs: [...pairs] } });
  return new Map(
    results.flatMap(({ outcome, ticketId, message }) =>
      outcome === 'refused' ? [[ticketId, message ?? 'Ce paiement ne peut plus être relié à cette demande.']] : [],
    ),
  );
}
