import { type AdminTicket, changeTicketStatus, listTickets } from '#contract/tickets.ts';
import { useAuth } from '#web/api/session.tsx';
import { useAction } from '#web/api/use-action.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { failureSentence } from '#web/text/failures.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Approves or rejects a ticket as the administrator saw it; somebody else's decision meanwhile is told, not overwritten. */
export function useChangeStatus() {
  const { call } = useAuth();
  const refresh = useRefresh();
  const toast = useToast();
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
      toast({
        ...{ title: 'Erreur', destructive: true },
        description: failureSentence(error, "Le statut n'a pas pu être modifié."),
      });
    }
    await refresh(listTickets);
  });
}
