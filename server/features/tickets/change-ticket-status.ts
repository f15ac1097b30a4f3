import { Failure } from '#contract/failure.ts';
import type { TicketStatus } from '#contract/tickets.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { notify } from '#server/features/notifications/store.ts';
import { queuePush } from '#server/features/push/store.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { pushLimits } from '#server/process/push-limits.ts';
import { findPhoneToTell, lockOwner, lockTicket, setStatus } from './decision-store.ts';
import { decisionText } from './decision-text.ts';
import type { TicketRow, TicketWithOwner } from './store.ts';

export interface StatusChange {
  id: number;
  status: 'approved' | 'rejected';
  reason?: string | null | undefined;
  expectedStatus?: TicketStatus | undefined;
  actorId: number;
}

/**
 * Approves or rejects a ticket: status, event, notification, push and SMS, together or not at all. A status that the ticket
 * has already changes nothing and sends nothing. Throws TICKET_NOT_FOUND,
 * and STATUS_CHANGED when the ticket no longer has `expectedStatus`. `limited` tells whether the caps on SMS hold.
 */
export async function changeTicketStatus(
  write: AuditedWrite,
  change: StatusChange,
  { limited }: { limited: boolean },
): Promise<TicketWithOwner & { changed: boolean }> {
  return write(async (tx, note) => {
    // The user first, as when a user is deleted: the other order would let the two wait for each other.
    const [, [found], [told]] = await tx.ask(lockOwner(change.id), lockTicket(change.id), findPhoneToTell(change.id));
    if (!found) throw new Failure('TICKET_NOT_FOUND');
    const { owner: user, ...ticket } = found;
    if (ticket.status === change.status) {
      note({ target: change.id, unchanged: true });
      return { ticket, user, changed: false };
    }
    if (change.expectedStatus && ticket.status !== change.expectedStatus) throw new Failure('STATUS_CHANGED');
    note({ target: change.id, before: { status: ticket.status } });
    const rejectReason = change.status === 'rejected' ? change.reason || null : null;
    if (told) {
      const { lifetimeSeconds } = pushLimits;
      const sms = { to: told.phone, text: decisionText(change), kind: 'decision' as const, lifetimeSeconds };
      await queueSms(tx, sms, { limited });
    }
    const decision = setStatus({ ...change, rejectReason, expected: change.expectedStatus });
    const decided = { ...ticket, status: change.status, rejectReason };
    const news = ticket.userId === null ? [] : newsOf(decided, ticket.userId);
    return new FinalStatements<TicketWithOwner & { changed: boolean }>([decision, ...news], ([changed]) => ({
      ticket: changed?.[0] as TicketRow,
      user,
      changed: true,
    }));
  });
}

/** What the person hears of it: in the app, and by push where they asked for it. */
const newsOf = (ticket: TicketRow, userId: number) => [
  notify(notificationOf(ticket, userId)),
  queuePush({ userId, ticketId: ticket.id }),
];

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
