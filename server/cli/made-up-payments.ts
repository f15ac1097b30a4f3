import type pg from 'pg';

/**
 * Adds an account with a source, messages and a statement to each payment type without one, and lines of payments: one for
 * each approved ticket of the last 30 days that has none, which it pays, for half of the pending ones by their number, and for
 * a quarter of an equal amount alone. Of the payments one in fifty was taken back. Repeating it adds what is new.
 */
export async function makeUpPayments(client: pg.ClientBase): Promise<void> {
  await client.query(`
    insert into payment_accounts (payment_type_id, country, number, label, allowed_senders)
    select id, coalesce(countries[1], '+226'), '00000000', name, array[replace(name, ' ', '')] from payment_types p
    where not exists (select from payment_accounts a where a.payment_type_id = p.id)
    on conflict do nothing`);
  // Nobody knows the secrets of these addresses.
  await client.query(`
    insert into payment_sources (account_id, kind, secret_hash, signing_secret, last_seen_at)
    select id, 'sms', md5(random()::text) || md5(random()::text), null, now() - interval '5 minutes' from payment_accounts a
    where not exists (select from payment_sources s where s.account_id = a.id)`);
  // Their texts are purged, as those of all messages are after a while.
  await client.query(`
    insert into payment_messages (account_id, source_id, content_hash, sender, state, why, received_at)
    select s.account_id, s.id, md5(s.id || each.kind), a.allowed_senders[1], each.kind, why, now() - n * interval '3 hours'
    from payment_sources s join payment_accounts a on a.id = s.account_id cross join (values
      (1, 'unread', null), (2, 'ignored', 'Achat de crédit.'), (3, 'refused', 'Expéditeur inconnu.')) as each (n, kind, why)
    on conflict do nothing`);
  await client.query(`
    with paid as (
      select t.id, t.status, t.amount + t.commission as gross, t.created_at + interval '3 minutes' as paid_at, u.phone, a.id as account_id,
             'INV' || lpad(t.id::text, 9, '0') as reference
      from tickets t join payment_accounts a on a.payment_type_id = t.payment_type_id left join users u on u.id = t.user_id
      where t.amount + t.commission > 0 and t.created_at > now() - interval '30 days'
        and (t.status = 'approved' or (t.status = 'pending' and t.id % 4 <> 3))
        and not exists (select from payment_matches m where m.ticket_id = t.id)
    ), lines as (
      insert into payment_lines (account_id, line_key, direction, state, gross, reference, plain_reference, our_reference, payer,
        paid_at, seen_in, is_trusted)
      select account_id, 'r:in:' || reference, 'in', case when id % 3 = 0 then 'announced' else 'settled' end, gross, reference,
        reference, case when status = 'pending' and id % 2 = 0 then id end,
        case when status = 'approved' or id % 2 = 0 then phone end, paid_at, case when id % 3 = 0 then 1 else 8 end, true
      from paid on conflict do nothing returning id, line_key
    )
    insert into payment_matches (line_id, ticket_id, rule, evidence, decided_at)
    select lines.id, paid.id, 'R2', '["Numéro du payeur et montant égaux."]', paid.paid_at + interval '5 minutes'
    from lines join paid on lines.line_key = 'r:in:' || paid.reference where paid.status = 'approved'`);
  await client.query(`
    with taken as (
      update payment_lines set state = 'reversed', anomaly = 'L''opérateur a repris ce paiement.'
      where line_key like 'r:in:INV%' and is_matched and id % 50 = 0 and state <> 'reversed' returning *
    )
    insert into payment_lines (account_id, line_key, direction, state, gross, reference, plain_reference, payer, paid_at, seen_in)
    select account_id, 'r:reversal:' || reference, 'reversal', 'settled', gross, reference, reference, payer, paid_at, 8 from taken
    on conflict do nothing`);
}
