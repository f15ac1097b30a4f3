import { Failure } from '#contract/failure.ts';
import type { Decision, DecisionResult, TicketStatus } from '#contract/tickets.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { changeTicketStatus } from './change-ticket-status.ts';

export interface Decisions {
  tickets: readonly { id: number; expectedStatus?: TicketStatus | undefined }[];
  status: Decision;
  reason?: string | null | undefined;
  actorId: number;
}

/** Decides tickets one after the other, each in a transaction of its own: a ticket that is refused says why, and the others go on. */
export async function decideTickets(
  write: AuditedWrite,
  decisions: Decisions,
  tools: { limited: boolean },
): Promise<DecisionResult[]> {
  const { tickets, ...decision } = decisions;
  const results: DecisionResult[] = [];
  for (const ticket of tickets)
    try {
      const { changed } = await changeTicketStatus(write, { ...decision, ...ticket }, tools);
      results.push({ id: ticket.id, outcome: changed ? 'changed' : 'unchanged' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({ id: ticket.id, outcome: 'refused', message: error.message });
    }
  return results;
}
