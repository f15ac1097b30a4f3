import { columnsOf, type Query, statement } from '#server/database/statement.ts';
import { sharedCatalogueLock } from '#server/features/catalogue/store.ts';
import { databaseLimits, ticketLimits } from '#server/process/limits.ts';
import type { TicketRow } from './store.ts';
import { tickets } from './tables.ts';

// In this order, in one round trip: the limit holds for the waits beside it.
const locks = statement(`
  select set_config('lock_timeout', '${databaseLimits.filingTurnMs}', true),
         pg_advisory_xact_lock(hashtextextended($1, 0)), ${sharedCatalogueLock}`);

/** Until the transaction ends, tickets of one user are filed one after the other, and the catalogue is locked. */
export function lockFiling(userId: number): Query<never> {
  return locks(`tickets:${userId}`);
}

export type Filer = { [Column in keyof TicketRow]: TicketRow[Column] | null } & {
  /** Tickets that they filed in the last hour, as far as the limit; 0 without limits. */
  recent: number;
};

/**
 * The user, kept from deletion, with an earlier ticket of theirs. Of the last hour only the newest tickets are looked at.
 * Their number is a parameter: PostgreSQL reads an index from its end where it does not know how soon it may stop.
 */
const filerWith = (earlier: string) =>
  statement<Filer>(`
  select case when $3::boolean then (
           select count(*)::int from (
             select created_at from tickets where user_id = $1 order by id desc limit $4) newest
           where created_at >= now() - make_interval(secs => ${ticketLimits.hourSeconds}))
         else 0 end as recent, ${columnsOf(tickets, 'earlier')}
  from (select id from users where id = $1 for key share) filer
  left join lateral (select * from tickets where user_id = $1 and ${earlier}) earlier on true`);
// There is one at most. Asked for the newest, PostgreSQL would look through all of the user's.
const filerByKey = filerWith('idempotency_key = $2');
const filerByOrder = filerWith(`
  fingerprint = $2 and created_at >= now() - make_interval(secs => ${ticketLimits.sameOrderSeconds})
  order by id desc limit 1`);

/** The filer, with their ticket of this key, or without a key of the same order some seconds ago. No row if unknown. */
export function readFiler(
  userId: number,
  { key, fingerprint, limited }: { key: string | undefined; fingerprint: string; limited: boolean },
): Query<Filer> {
  return key === undefined
    ? filerByOrder(userId, fingerprint, limited, ticketLimits.perUserAndHour)
    : filerByKey(userId, key, limited, ticketLimits.perUserAndHour);
}

/** What a ticket is filed with, in the order of the insertion's values. */
const filed = [
  'userId',
  'serviceId',
  'paymentTypeId',
  'paymentTypeName',
  'amount',
  'commission',
  'totalPrice',
  'servicePath',
  'beneficiaryPhoneNumber',
  'dialCode',
  'idempotencyKey',
  'fingerprint',
] as const;
const insertion = statement<TicketRow>(`
  with filed as (
    insert into tickets (user_id, service_id, payment_type_id, payment_type_name, amount, commission, total_price,
      service_path, beneficiary_phone_number, dial_code, idempotency_key, fingerprint)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *
  ), event as (
    insert into ticket_events (ticket_id, status, actor_id) select id, status, user_id from filed
  ) select ${columnsOf(tickets, 'filed')} from filed`);

/** Files a ticket and the event of its creation. */
export function insertTicket(ticket: Pick<TicketRow, (typeof filed)[number]>): Query<TicketRow> {
  return insertion(...filed.map((name) => (name === 'servicePath' ? JSON.stringify(ticket[name]) : ticket[name])));
}
