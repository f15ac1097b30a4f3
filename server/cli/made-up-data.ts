import type pg from 'pg';

/** How much to make up. */
export interface Volume {
  users: number;
  tickets: number;
}

/**
 * Fills a database with made-up people, tickets and notifications, each statement for a whole batch. The people cannot
 * sign in: their password is no hash. Their numbers are of Burkina Faso, from +226 60 00 00 00 up.
 */
export async function makeUpData(pool: pg.Pool, { users, tickets }: Volume): Promise<void> {
  await pool.query(
    `insert into users (first_name, last_name, phone, password, is_verified)
     select 'Personne ' || n, 'Inventée', '+226' || (60000000 + n), '-', true from generate_series(1, $1::int) n
     on conflict do nothing`,
    [users],
  );
  const batch = 20_000;
  for (let made = 0; made < tickets; made += batch)
    await pool.query(
      `with people as (select id, row_number() over (order by id) as place from users where password = '-'),
       total as (select count(*) as n from people),
       final as (
         select s.id, row_number() over (order by s.id) as place, count(*) over () as n, s.name from services s where is_final_level
       ),
       filed as (
         insert into tickets (user_id, service_id, status, payment_type_name, amount, commission, total_price, service_path,
                              beneficiary_phone_number, dial_code, fingerprint, created_at, updated_at)
         select people.id, final.id, (array['pending', 'approved', 'rejected'])[1 + k % 3], 'Orange Money', 1000, 50, '1050',
                jsonb_build_array(jsonb_build_object('id', final.id, 'name', final.name, 'price', null, 'level', 1)),
                '+22670123456', '*144*10*00000000*1050#', 'made-up-' || k,
                now() - make_interval(mins => k % 100000), now()
         from generate_series($1::int, $2::int) k cross join total
         join people on people.place = 1 + k % total.n
         join final on final.place = 1 + k % final.n
         returning id, user_id, status
       )
       insert into notifications (user_id, title, message, type, related_ticket_id, is_read)
       select user_id, 'Demande traitée', 'Votre demande n° ' || id || ' a été traitée.', 'info', id, id % 2 = 0
       from filed where status <> 'pending'`,
      [made + 1, Math.min(made + batch, tickets)],
    );
  await pool.query('analyze');
}
