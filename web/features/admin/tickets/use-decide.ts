import {
  type AdminTicket,
  changeTicketStatus,
  countPendingTickets,
  type Decision,
  type DecisionResult,
  decideTickets,
  listTickets,
  readTicket,
} from '#contract/tickets.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { useToast } from '#web/ui/toast.tsx';

const fallback = "Le statut n'a pas pu être modifié.";

/** Decides tickets in the state that the administrator saw. A concurrent decision is reported, not overwritten. */
export function useDecide({ onDecided }: { onDecided: (tickets: AdminTicket[], status: Decision) => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listTickets);
  const toast = useToast();
  const toastFailure = useFailureToast();
  const readAgain = () => refresh(listTickets, readTicket, countPendingTickets);

  const one = useAction(async (ticket: AdminTicket, status: Decision, reason?: string) => {
    try {
      const changed = await call(changeTicketStatus, {
        params: { id: String(ticket.id) },
        body: { status, expectedStatus: ticket.status, ...(reason && { reason }) },
      });
      onDecided([changed], status);
      replace([changed]);
      toast({
        title: 'Statut mis à jour',
        description: `Ticket n° ${ticket.id} : ${ticketStatusLabel(status).label}.`,
      });
    } catch (error) {
      toastFailure(error, { fallback });
    }
    await readAgain();
  });

  const many = useAction(
    async (
      tickets: AdminTicket[],
      { status, reason }: { status: Decision; reason?: string },
      onResults: (results: DecisionResult[]) => void,
    ) => {
      try {
        const { results } = await call(decideTickets, {
          body: {
            tickets: tickets.map(({ id, status: expectedStatus }) => ({ id, expectedStatus })),
            status,
            ...(reason && { reason }),
          },
        });
        const done = new Set(results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id));
        const changed = tickets.filter(({ id }) => done.has(id)).map((ticket) => ({ ...ticket, status }));
        onDecided(changed, status);
        replace(changed);
        onResults(results);
      } catch (error) {
        toastFailure(error, { fallback });
      }
      await readAgain();
    },
  );
  return { one, many, busy: one.busy || many.busy };
}
