import { Failure } from '#contract/failure.ts';
import type { TicketStatus } from '#contract/tickets.ts';
import { Ending } from '#server/database/transaction.ts';
import { notify } from '#server/features/notifications/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockOwner, lockTicket, setStatus } from './decision-store.ts';
import type { TicketRow, TicketWithOwner } from './store.ts';

export interface StatusChange {
  id: number;
  status: 'approved' | 'rejected';
  reason?: string | null | undefined;
  expectedStatus?: TicketStatus | undefined;
  actorId: number;
}

/**
 * Approves or rejects a ticket: the status, its event and the user's notification together or not at all. A status the
 * ticket has already changes nothing and notifies nobody. Throws TICKET_NOT_FOUND, and STATUS_CHANGED when the ticket no
 * longer has `expectedStatus`.
 */
export async function changeTicketStatus(
  write: AuditedWrite,
  change: StatusChange,
): Promise<TicketWithOwner & { changed: boolean }> {
  return write(async (tx, note) => {
    // The user first, as when a user is deleted: the other order would let the two wait for each other.
    const [, [found]] = await tx.ask(lockOwner(change.id), lockTicket(change.id));
    if (!found) throw new Failure('TICKET_NOT_FOUND');
    const { owner: user, ...ticket } = found;
    if (ticket.status === change.status) {
      note({ target: change.id, unchanged: true });
      return { ticket, user, changed: false };
    }
    if (change.expectedStatus && ticket.status !== change.expectedStatus) throw new Failure('STATUS_CHANGED');
    note({ target: change.id, before: { status: ticket.status } });
    const rejectReason = change.status === 'rejected' ? change.reason || null : null;
    const decision = setStatus({ ...change, rejectReason, expected: change.expectedStatus });
    const decided = { ...ticket, status: change.status, rejectReason };
    const news = ticket.userId === null ? [] : [notify(notificationOf(decided, ticket.userId))];
    return new Ending<TicketWithOwner & { changed: boolean }>([decision, ...news], ([changed]) => ({
      ticket: changed?.[0] as TicketRow,
      user,
      changed: true,
    }));
  });
}

function notificationOf(ticket: TicketRow, userId: number) {
  const service = ticket.servicePath.at(-1)?.name ?? 'Service';
  const approved = ticket.status === 'approved';
  const reason = ticket.rejectReason ? ` Motif : ${ticket.rejectReason}` : '';
  return {
    userId,
    relatedTicketId: ticket.id,
    type: approved ? ('success' as const) : ('error' as const),
    title: approved ? 'Demande approuvée' : 'Demande rejetée',
    message: approved
      ? `Votre demande n° ${ticket.id} (${service}) a été approuvée.`
      : `Votre demande n° ${ticket.id} (${service}) a été rejetée.${reason}`,
  };
}
