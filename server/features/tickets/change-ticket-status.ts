import { Failure } from '#contract/failure.ts';
import type { TicketStatus } from '#contract/tickets.ts';
import { notify } from '#server/features/notifications/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import {
  findTicketWithOwner,
  lockOwner,
  lockStatus,
  setStatus,
  type TicketRow,
  type TicketWithOwner,
} from './store.ts';

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
    await lockOwner(tx, change.id);
    const rejectReason = change.status === 'rejected' ? change.reason || null : null;
    const before = await lockStatus(tx, change.id);
    const changed = await setStatus(tx, { ...change, rejectReason, expected: change.expectedStatus });
    if (changed?.userId) await notify(tx, notificationOf(changed, changed.userId));
    const found = await findTicketWithOwner(tx, change.id);
    if (!found) throw new Failure('TICKET_NOT_FOUND');
    if (!changed && change.expectedStatus && found.ticket.status !== change.status) throw new Failure('STATUS_CHANGED');
    note({ target: change.id, ...(changed ? { before: { status: before ?? null } } : { unchanged: true }) });
    return { ...found, changed: changed !== undefined };
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
