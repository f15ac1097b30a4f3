import type { TicketStatus } from '#contract/tickets.ts';
import { columnsOf, type Query, statement } from '#server/database/statement.ts';
import type { TicketRow, TicketWithOwner } from './store.ts';
import { tickets } from './tables.ts';

const owner = statement(`
  select id from users where id = (select user_id from tickets where id = $1) for key share`);

/** Keeps a ticket's user from being deleted until the transaction ends. */
export function lockOwner(id: number): Query<never> {
  return owner(id);
}

const locked = statement<TicketRow & { owner: TicketWithOwner['user'] }>(`
  select ${columnsOf(tickets, 't')},
         case when u.id is not null then json_build_object('id', u.id, 'firstName', u.first_name,
           'lastName', u.last_name, 'phone', u.phone, 'email', u.email) end as owner
  from tickets t left join users u on u.id = t.user_id where t.id = $1 for update of t`);

/** A ticket with its user, locked until the transaction ends. */
export function lockTicket(id: number): Query<TicketRow & { owner: TicketWithOwner['user'] }> {
  return locked(id);
}

// Where administrators chose so, and to verified numbers alone.
const phoneToTell = statement<{ phone: string }>(`
  select u.phone from sms_settings s, tickets t join users u on u.id = t.user_id
  where s.on_decision and t.id = $1 and not u.is_guest and u.is_verified and u.deactivated_at is null`);

/** The number that hears by SMS what becomes of a ticket, if there is one. */
export function findPhoneToTell(id: number): Query<{ phone: string }> {
  return phoneToTell(id);
}

const decision = statement<TicketRow>(`
  with decided as (
    update tickets set status = $2, reject_reason = $3, updated_at = now()
    where id = $1 and status <> $2 and ($5::text is null or status = $5) returning *
  ), event as (
    insert into ticket_events (ticket_id, status, reason, actor_id) select id, status, reject_reason, $4 from decided
  ) select ${columnsOf(tickets, 'decided')} from decided`);

/**
 * Changes a ticket's status, and writes its event: no row when it has that status already, or no longer the expected one.
 * Of several at once, as many succeed as there were changes.
 */
export function setStatus(change: {
  id: number;
  status: 'approved' | 'rejected';
  rejectReason: string | null;
  expected?: TicketStatus | undefined;
  actorId: number;
}): Query<TicketRow> {
  return decision(change.id, change.status, change.rejectReason, change.actorId, change.expected ?? null);
}
