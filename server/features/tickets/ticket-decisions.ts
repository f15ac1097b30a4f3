import { Failure } from '#contract/failure.ts';
import type { Decision, DecisionResult, TicketStatus } from '#contract/tickets.ts';
import { columnsOf, json, nullable, rowOf, text } from '#server/database/row-kinds.ts';
import { none, statement } from '#server/database/statement.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { notify } from '#server/features/notifications/store.ts';
import { queuePush } from '#server/features/push/store.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { pushLimits } from '#server/process/sending-limits.ts';
import type { TicketRow, TicketWithOwner } from './store.ts';
import { tickets } from './tables.ts';

/** The SMS of a decision: one message in GSM-7. Anybody may read it: no name, amount, service or reason. */
export function decisionText({ id, status }: Pick<StatusChange, 'id' | 'status'>): string {
  const verb = status === 'approved' ? 'a été approuvée' : 'a été rejetée';
  return `Guichet : votre demande numéro ${id} ${verb}. Ouvrez Guichet pour voir le détail.`;
}

/** Keeps a ticket's user from being deleted until the transaction ends; before the ticket is locked. */
export const lockOwner = statement(none)<[id: number]>(`
  select id from users where id = (select user_id from tickets where id = $1) for key share`);

/** A ticket with its user, locked until the transaction ends. */
export const lockTicket = statement({ ...rowOf(tickets), owner: nullable(json<TicketWithOwner['user']>()) })<
  [id: number]
>(`
  select ${columnsOf(tickets, 't')},
         case when u.id is not null then json_build_object('id', u.id, 'firstName', u.first_name,
           'lastName', u.last_name, 'phone', u.phone, 'email', u.email) end as owner
  from tickets t left join users u on u.id = t.user_id where t.id = $1 for update of t`);

/** The number that hears by SMS what becomes of a ticket, where administrators chose so and it is verified. */
const findPhoneToTell = statement({ phone: text })<[id: number]>(`
  select u.phone from sms_settings s, tickets t join users u on u.id = t.user_id
  where s.on_decision and t.id = $1 and not u.is_guest and u.is_verified and u.deactivated_at is null`);

/** Changes a ticket's status and writes its event; no row when it has that status already, or not the expected one. */
const setStatus = statement(rowOf(tickets))<
  [id: number, status: string, rejectReason: string | null, actorId: number, expected: string | null]
>(`
  with decided as (
    update tickets set status = $2, reject_reason = $3, updated_at = now()
    where id = $1 and status <> $2 and ($5::text is null or status = $5) returning *
  ), event as (
    insert into ticket_events (ticket_id, status, reason, actor_id) select id, status, reject_reason, $4 from decided
  ) select ${columnsOf(tickets, 'decided')} from decided`);

interface StatusChange {
  id: number;
  status: Decision;
  reason?: string | null | undefined;
  expectedStatus?: TicketStatus | undefined;
  actorId: number;
}

/**
 * Decides a ticket: status, event, notification, push and SMS, all or nothing; the same status again changes nothing. Throws
 * TICKET_NOT_FOUND, and STATUS_CHANGED if it no longer has `expectedStatus`. `limited` tells whether the caps on SMS hold.
 */
export async function changeTicketStatus(
  write: AuditedWrite,
  change: StatusChange,
  { limited }: { limited: boolean },
): Promise<TicketWithOwner & { changed: boolean }> {
  const { id, status, actorId, expectedStatus = null } = change;
  return write(async (tx, note) => {
    // The user first, as when a user is deleted: the other order would let the two wait for each other.
    const [, [found], [told]] = await tx.ask(lockOwner(id), lockTicket(id), findPhoneToTell(id));
    if (!found) throw new Failure('TICKET_NOT_FOUND');
    const { owner: user, ...ticket } = found;
    if (ticket.status === status) {
      note({ target: id, unchanged: true });
      return { ticket, user, changed: false };
    }
    if (expectedStatus && ticket.status !== expectedStatus) throw new Failure('STATUS_CHANGED');
    note({ target: id, before: { status: ticket.status } });
    const rejectReason = status === 'rejected' ? change.reason || null : null;
    if (told) {
      const { lifetimeSeconds } = pushLimits;
      const sms = { to: told.phone, text: decisionText(change), kind: 'decision' as const, lifetimeSeconds };
      await queueSms(tx, sms, { limited });
    }
    const decision = setStatus(id, status, rejectReason, actorId, expectedStatus);
    const { userId } = ticket;
    // In the app, and by push where they asked for it.
    const news = userId !== null && [
      notify(notificationOf({ ...ticket, status, rejectReason }, userId)),
      queuePush({ userId, ticketId: id }),
    ];
    return new FinalStatements<TicketWithOwner & { changed: boolean }>([decision, ...(news || [])], ([changed]) => ({
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
      ? `Votre demande n°\u00a0${ticket.id} (${service}) a été approuvée.`
      : `Votre demande n°\u00a0${ticket.id} (${service}) a été rejetée.${reason}`,
  };
}

/** Decides tickets one after the other, each in a transaction of its own: a ticket that is refused says why, and the others go on. */
export async function decideTickets(
  write: AuditedWrite,
  { tickets: those, ...decision }: Omit<StatusChange, 'id'> & { tickets: readonly Pick<StatusChange, 'id'>[] },
  tools: { limited: boolean },
): Promise<DecisionResult[]> {
  const results: DecisionResult[] = [];
  for (const ticket of those)
    try {
      const { changed } = await changeTicketStatus(write, { ...decision, ...ticket }, tools);
      results.push({ id: ticket.id, outcome: changed ? 'changed' : 'unchanged' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({ id: ticket.id, outcome: 'refused', message: error.message });
    }
  return results;
}
