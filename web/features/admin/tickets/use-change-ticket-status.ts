import { type AdminTicket, changeTicketStatus, listTickets } from '#contract/tickets.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Approves or rejects a ticket as the administrator saw it; somebody else's decision meanwhile is told, not overwritten. */
export function useChangeTicketStatus() {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async (ticket: AdminTicket, status: 'approved' | 'rejected', reason?: string) => {
    try {
      await call(changeTicketStatus, {
        params: { id: String(ticket.id) },
        body: { status, expectedStatus: ticket.status, ...(reason && { reason }) },
      });
      toast({
        title: 'Statut mis à jour',
        description: `Ticket n° ${ticket.id} : ${ticketStatusLabel(status).label}.`,
      });
    } catch (error) {
      toastFailure(error, { fallback: "Le statut n'a pas pu être modifié." });
    }
    await refresh(listTickets);
  });
}
