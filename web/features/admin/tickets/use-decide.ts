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
import { useReplaceRows } from '#web/api/use-list.ts';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';

const failure = { fallback: "Le statut n'a pas pu être modifié." };
const reads = [listTickets, readTicket, countPendingTickets];

/** Decides tickets in the state that the administrator saw. A concurrent decision is reported, not overwritten. */
export function useDecide({ onDecided }: { onDecided: (tickets: AdminTicket[]) => void }) {
  const call = useCall();
  const replace = useReplaceRows(listTickets);
  const attempt = useAttempt();
  const record = (changed: AdminTicket[]) => {
    onDecided(changed);
    replace(changed);
  };

  const one = useAction(async (ticket: AdminTicket, status: Decision, reason?: string) => {
    const write = async () => {
      const changed = await call(changeTicketStatus, {
        params: { id: String(ticket.id) },
        body: { status, expectedStatus: ticket.status, ...(reason && { reason }) },
      });
      record([changed]);
      return {
        title: 'Statut mis à jour',
        description: `Ticket n° ${ticket.id} : ${ticketStatusLabel(status).label}.`,
      };
    };
    await attempt(write, failure, ...reads);
  });

  const many = useAction(
    async (
      tickets: AdminTicket[],
      { status, reason }: { status: Decision; reason?: string },
      onResults: (results: DecisionResult[]) => void,
    ) => {
      const write = async () => {
        const { results } = await call(decideTickets, {
          body: {
            tickets: tickets.map(({ id, status: expectedStatus }) => ({ id, expectedStatus })),
            status,
            ...(reason && { reason }),
          },
        });
        const done = new Set(results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id));
        record(tickets.filter(({ id }) => done.has(id)).map((ticket) => ({ ...ticket, status })));
        onResults(results);
        return undefined;
      };
      await attempt(write, failure, ...reads);
    },
  );
  return { one, many, busy: one.busy || many.busy };
}
