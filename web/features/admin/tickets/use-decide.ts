import { approvePayments, listProposals, readTicketPayment } from '#contract/payments.ts';
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
import { useRowAction } from '#web/features/admin/shared/use-row-action.ts';
import { useAction } from '#web/forms/use-action.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';

const failure = { fallback: "Le statut n'a pas pu être modifié." };
const reads = [listTickets, readTicket, countPendingTickets, listProposals, readTicketPayment];

/** Decides tickets in the state that the administrator saw. A concurrent decision is reported, not overwritten. */
export function useDecide({
  lineOf,
  onDecided,
}: {
  /** The line that surely pays a ticket. */
  lineOf: (ticketId: number) => number | undefined;
  onDecided: (tickets: AdminTicket[], status: Decision) => void;
}) {
  const call = useCall();
  const replace = useReplaceRows(listTickets);
  const attempt = useAttempt();
  const record = (changed: AdminTicket[], status: Decision) => {
    onDecided(changed, status);
    replace(changed);
  };

  /** Approves those of the tickets that a line surely pays, with it; answers what was refused, and what is left to decide. */
  const decidePaid = async (tickets: AdminTicket[], status: Decision) => {
    const pairs = tickets.flatMap(({ id, status: before }) => {
      const lineId = status === 'approved' && before === 'pending' ? lineOf(id) : undefined;
      return lineId === undefined ? [] : { lineId, ticketId: id };
    });
    const refused = pairs.length > 0 ? await approvePaid(call, pairs) : new Map<number, string>();
    const paired = new Set(pairs.map(({ ticketId }) => ticketId));
    const done = tickets.filter(({ id }) => paired.has(id) && !refused.has(id));
    if (done.length > 0)
      record(
        done.map((ticket) => ({ ...ticket, status })),
        status,
      );
    return { done, refused, left: tickets.filter(({ id }) => !paired.has(id)) };
  };

  const one = useRowAction(async (ticket: AdminTicket, status: Decision, reason?: string) => {
    const decide = async () => {
      const changed = await call(changeTicketStatus, {
        params: { id: String(ticket.id) },
        body: { status, expectedStatus: ticket.status, ...(reason && { reason }) },
      });
      record([changed], status);
    };
    const write = async () => {
      const { refused, left } = await decidePaid([ticket], status);
      const why = refused.get(ticket.id);
      if (why) return { title: `Ticket n° ${ticket.id} non approuvé`, description: why, destructive: true };
      if (left.length > 0) await decide();
      return {
        title: 'Statut mis à jour',
        description: `Ticket n° ${ticket.id} : ${ticketStatusLabel(status).label}.`,
      };
    };
    await attempt(write, failure, ...reads);
  });

  const decideAll = async (tickets: AdminTicket[], status: Decision, reason?: string): Promise<DecisionResult[]> => {
    const { results } = await call(decideTickets, {
      body: {
        tickets: tickets.map(({ id, status: expectedStatus }) => ({ id, expectedStatus })),
        status,
        ...(reason && { reason }),
      },
    });
    const done = new Set(results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id));
    record(
      tickets.filter(({ id }) => done.has(id)).map((ticket) => ({ ...ticket, status, rejectReason: reason ?? null })),
      status,
    );
    return results;
  };

  const many = useAction(
    async (
      tickets: AdminTicket[],
      { status, reason }: { status: Decision; reason?: string },
      onResults: (results: DecisionResult[]) => void,
    ) => {
      const write = async () => {
        const { done, refused, left } = await decidePaid(tickets, status);
        const answer = left.length > 0 ? await decideAll(left, status, reason) : [];
        onResults([
          ...done.map(({ id }) => ({ id, outcome: 'changed' as const })),
          ...[...refused].map(([id, message]) => ({ id, outcome: 'refused' as const, message })),
          ...answer,
        ]);
        return undefined;
      };
      await attempt(write, failure, ...reads);
    },
  );
  return { one, many };
}

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
