import { approvePayments, listProposals, readTicketPayment } from '#contract/payments.ts';
import {
  type AdminTicket,
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
/** The reads that a decision changes. */
export const decisionReads = [listTickets, readTicket, countPendingTickets, listProposals, readTicketPayment];

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

  /** Those of the tickets that a line surely pays are approved with it. */
  const decide = async (tickets: AdminTicket[], status: Decision, reason?: string): Promise<DecisionResult[]> => {
    const pairs = tickets.flatMap(({ id, status: before }) => {
      const lineId = status === 'approved' && before === 'pending' ? lineOf(id) : undefined;
      return lineId === undefined ? [] : { lineId, ticketId: id };
    });
    const refused = pairs.length > 0 ? await approvePaid(call, pairs) : new Map<number, string>();
    const paired = new Set(pairs.map(({ ticketId }) => ticketId));
    const rest = tickets.filter(({ id }) => !paired.has(id));
    const body = {
      tickets: rest.map(({ id, status: expectedStatus }) => ({ id, expectedStatus })),
      status,
      ...(reason && { reason }),
    };
    const results: DecisionResult[] = [
      ...pairs.map(({ ticketId: id }) =>
        refused.has(id)
          ? { id, outcome: 'refused' as const, message: refused.get(id) }
          : { id, outcome: 'changed' as const },
      ),
      ...(rest.length > 0 ? (await call(decideTickets, { body })).results : []),
    ];
    const done = new Set(results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id));
    const changed = tickets
      .filter(({ id }) => done.has(id))
      .map((ticket) => ({ ...ticket, status, rejectReason: reason ?? null }));
    onDecided(changed, status);
    replace(changed);
    return results;
  };

  const one = useRowAction(async (ticket: AdminTicket, status: Decision, reason?: string) => {
    const write = async () => {
      const [result] = await decide([ticket], status, reason);
      const what = `Ticket n°\u00a0${ticket.id}\u00a0: `;
      return result?.outcome === 'refused'
        ? { title: 'Erreur', description: `${what}${result.message ?? ''}`, destructive: true }
        : { title: 'Statut mis à jour', description: `${what}${ticketStatusLabel(status).label}.` };
    };
    await attempt(write, failure, ...decisionReads);
  });

  const many = useAction(
    async (
      tickets: AdminTicket[],
      { status, reason }: { status: Decision; reason?: string },
      onResults: (results: DecisionResult[]) => void,
    ) => {
      const write = async () => {
        onResults(await decide(tickets, status, reason));
        return undefined;
      };
      await attempt(write, failure, ...decisionReads);
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
