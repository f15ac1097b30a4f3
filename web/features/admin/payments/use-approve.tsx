import { type ReactNode, useState } from 'react';
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
import { type ResultRow, ResultsDialog } from '#web/features/admin/shared/results-dialog.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';
import { formatAmount, formatCount } from '#web/text/formats.ts';

/** The reads that show payments. */
export const paymentReads = [
  listProposals,
  countProposals,
  listPayments,
  readTicketPayment,
  listUnreadMessages,
  listPaymentAccounts,
];

/** Approves pairs, and says how many; where some are refused, `dialog` lists each, which the caller renders. */
export function useApprove(): {
  run: (pairs: readonly PaymentPair[]) => Promise<unknown>;
  busy: boolean;
  dialog: ReactNode;
} {
  const call = useCall();
  const attempt = useAttempt();
  const [results, setResults] = useState<{ title: string; rows: ResultRow[] }>();
  const { run, busy } = useAction(async (pairs: readonly PaymentPair[]) => {
    await attempt(
      async () => {
        const body = { pairs: pairs.map(({ line, ticket }) => ({ lineId: line.id, ticketId: ticket.id })) };
        const rows = (await call(approvePayments, { body })).results.map(
          ({ lineId, ticketId, outcome, message }, place): ResultRow => ({
            id: lineId,
            name: `n°\u00a0${formatCount(ticketId)} · ${formatAmount(pairs[place]?.line.gross ?? 0)}`,
            outcome: outcome === 'approved' ? 'changed' : outcome,
            message,
          }),
        );
        const done = rows.filter(({ outcome }) => outcome === 'changed').length;
        const words = done < 2 ? 'paiement approuvé' : 'paiements approuvés';
        const title = `${formatCount(done)} ${words} sur ${formatCount(rows.length)}`;
        if (done === rows.length) return { title, description: 'Chaque personne en est avertie.' };
        setResults({ title, rows });
        return undefined;
      },
      { fallback: "Les paiements n'ont pas pu être approuvés." },
      ...paymentReads,
      listTickets,
      readTicket,
      countPendingTickets,
    );
  });
  const close = () => setResults(undefined);
  return {
    run,
    busy,
    dialog: results && <ResultsDialog {...results} label="Résultat par paiement" onClose={close} />,
  };
}
