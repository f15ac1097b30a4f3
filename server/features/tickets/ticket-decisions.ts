import { Failure } from '#contract/failure.ts';
import type { Decision, TicketStatus } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { rows, sql } from '#server/database/rows.ts';
import { notify } from '#server/features/notifications/store.ts';
import { pushLimits } from '#server/features/push/limits.ts';
import { queuePush } from '#server/features/push/store.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { selectWithOwner, type TicketRow, type TicketWithOwner } from './store.ts';
import { ticketEvents, tickets } from './tables.ts';

/** The SMS of a decision: one message in GSM-7. Others may see it, so it has no name, amount, service or reason. */
export function decisionText({ id, status }: Pick<StatusChange, 'id' | 'status'>): string {
  const verb = status === 'approved' ? 'a été approuvée' : 'a été rejetée';
  return `Guichet : votre demande numéro ${id} ${verb}. Ouvrez Guichet pour voir le détail.`;
}

/**
 * Locks a ticket until the transaction ends, and answers it with its user. The user is locked first against deletion, as when a user is
 * deleted: the reverse order could deadlock.
 */
export async function lockTicket(tx: Db, id: number): Promise<TicketWithOwner | undefined> {
  await tx.execute(sql`select from users where id = (select user_id from tickets where id = ${id}) for key share`);
  const [found] = await selectWithOwner(tx).where(sql`${tickets.id} = ${id}`).for('update', { of: tickets });
  return found;
}

/** The number that gets an SMS about a decision; undefined if it is unverified or administrators chose no SMS. */
async function findPhoneToTell(db: Db, id: number): Promise<string | undefined> {
  const [told] = await rows<{ phone: string }>(
    db,
    sql`
      select u.phone from sms_settings s, tickets t join users u on u.id = t.user_id
      where s.on_decision and t.id = ${id} and not u.is_guest and u.is_verified and u.deactivated_at is null`,
  );
  return told?.phone;
}

export interface StatusChange {
  id: number;
  status: Decision;
  reason?: string | null | undefined;
  expectedStatus?: TicketStatus | undefined;
  actorId: number;
}

/**
 * Decides a ticket: status, event, notification, push and SMS, in one transaction. The same status again changes nothing. Throws
 * TICKET_NOT_FOUND, and STATUS_CHANGED if it no longer has `expectedStatus`. `limited` means that the caps on SMS apply.
 */
export async function changeTicketStatus(
  write: AuditedWrite,
  change: StatusChange,
  { limited }: { limited: boolean },
): Promise<TicketWithOwner & { changed: boolean }> {
  const { id, status, actorId, expectedStatus } = change;
  return write(async (tx, note) => {
    const found = await lockTicket(tx, id);
    if (!found) throw new Failure('TICKET_NOT_FOUND');
    const { ticket, user } = found;
    if (ticket.status === status) {
      note({ target: id, unchanged: true });
      return { ticket, user, changed: false };
    }
    if (expectedStatus && ticket.status !== expectedStatus) throw new Failure('STATUS_CHANGED');
    note({ target: id, before: { status: ticket.status } });
    const rejectReason = status === 'rejected' ? change.reason || null : null;
    const phone = await findPhoneToTell(tx, id);
    if (phone) {
      const { lifetimeSeconds } = pushLimits;
      await queueSms(tx, { to: phone, text: decisionText(change), kind: 'decision', lifetimeSeconds }, { limited });
    }
    const set = { status, rejectReason, updatedAt: sql`now()` };
    const [decided] = await tx.update(tickets).set(set).where(sql`${tickets.id} = ${id}`).returning();
    await tx.insert(ticketEvents).values({ ticketId: id, status, reason: rejectReason, actorId });
    // In the app, and by push if the user subscribed.
    if (ticket.userId !== null) {
      await notify(tx, notificationOf({ ...ticket, status, rejectReason }, ticket.userId));
      await queuePush(tx, { userId: ticket.userId, ticketId: id });
    }
    return { ticket: decided as TicketRow, user, changed: true };
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
      ? `Votre demande n°\u00a0${ticket.id} (${service}) a été approuvée.`
      : `Votre demande n°\u00a0${ticket.id} (${service}) a été rejetée.${reason}`,
  };
}
