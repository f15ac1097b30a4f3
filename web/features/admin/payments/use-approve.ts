import type { ResponseOf } from '#contract/endpoint.ts';
import { listPaymentAccounts } from '#contract/payment-feed.ts';
import {
  approvePayments,
  countProposals,
  listPayments,
  listProposals,
  listUnreadMessages,
  type PaymentPair,
  readTicketPayment,
} from '#contract/payments.ts';
import { countPendingTickets, listTickets, readTicket } from '#contract/tickets.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';

/** The reads that show payments. */
export const paymentReads = [
  listProposals,
  countProposals,
  listPayments,
  readTicketPayment,
  listUnreadMessages,
  listPaymentAccounts,
];

type ApprovalResult = ResponseOf<typeof approvePayments>['results'][number];

/** Approves pairs; `onResults` gets the outcome of each, after the lists are read again. */
export function useApprove(onResults: (results: ApprovalResult[], pairs: readonly PaymentPair[]) => void) {
  const call = useCall();
  const attempt = useAttempt();
  return useAction(async (pairs: readonly PaymentPair[]) => {
    let results: ApprovalResult[] | undefined;
    await attempt(
      async () => {
        const body = { pairs: pairs.map(({ line, ticket }) => ({ lineId: line.id, ticketId: ticket.id })) };
        results = (await call(approvePayments, { body })).results;
        return undefined;
      },
      { fallback: "Les paiements n'ont pas pu être approuvés." },
      ...paymentReads,
      listTickets,
      readTicket,
      countPendingTickets,
    );
    if (results) onResults(results, pairs);
  });
}
