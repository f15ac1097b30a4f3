import { approvePayments, type PaymentPair } from '#contract/payments.ts';
import {
  type AdminTicket,
  changeTicketStatus,
  type Decision,
  type DecisionResult,
  decideTickets,
} from '#contract/tickets.ts';
import type { ApiCall } from '#web/api/use-call.ts';

/** One decision of one or more tickets, as they were seen. */
export interface Decided {
  tickets: readonly AdminTicket[];
  status: Decision;
  /** Of a rejection; the users read it. */
  reason?: string | undefined;
  /** The payments that a person chose to approve the tickets by; the server chooses otherwise. */
  pairs?: readonly PaymentPair[] | undefined;
}

/** What tickets cost together, in francs. */
export const sumOf = (tickets: readonly AdminTicket[]): number =>
  tickets.reduce((francs, { totalPrice }) => francs + Number(totalPrice), 0);

/** Sends a decision in one call, and answers what became of each ticket. */
export async function sendDecision(
  call: ApiCall,
  { tickets, status, reason, pairs }: Decided,
  keepalive: boolean,
): Promise<DecisionResult[]> {
  if (pairs) {
    const body = { pairs: pairs.map(({ line, ticket }) => ({ lineId: line.id, ticketId: ticket.id })) };
    const { results } = await call(approvePayments, { body, keepalive });
    return results.map(({ ticketId: id, lineId, outcome, message }) =>
      outcome === 'refused' ? { id, outcome, message } : { id, lineId, outcome: 'changed' },
    );
  }
  const decision = { status, ...(reason && { reason }) };
  const [only, ...others] = tickets;
  if (only && others.length === 0) {
    const { id, status: expectedStatus } = only;
    const body = { ...decision, expectedStatus };
    const { lineId } = await call(changeTicketStatus, { params: { id: String(id) }, body, keepalive });
    return [{ id, outcome: 'changed', lineId }];
  }
  const asked = tickets.map(({ id, status: expectedStatus }) => ({ id, expectedStatus }));
  return (await call(decideTickets, { body: { ...decision, tickets: asked }, keepalive })).results;
}
