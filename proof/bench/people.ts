import { createHash } from 'node:crypto';
import type pg from 'pg';

/** People of a bench: signed in, with tickets and notifications. Their ids follow one another. */
export interface People {
  first: number;
  count: number;
}

export const idsOf = ({ first, count }: People) => Array.from({ length: count }, (_, at) => first + at);

/** The cookie of a person's session, which follows from their id so that no list of them is needed. */
export const cookieOf = (id: number) => createHash('sha256').update(`bench:${id}`).digest('base64url');
const cookieInSql = "translate(rtrim(encode(sha256(('bench:' || id)::bytea), 'base64'), '='), '+/', '-_')";

/**
 * Adds so many people, the first `busy` of them with twenty tickets and the others with two, all with five notifications of
 * which two are unread, and opens a session for each. `password` is the hash of theirs.
 */
export async function addPeople(
  pool: pg.Pool,
  { count, busy, password = '-' }: { count: number; busy: number; password?: string },
): Promise<People> {
  const client = await pool.connect();
  try {
    await client.query("set guichet.quiet = 'on'; set statement_timeout = 0; set work_mem = '64MB'");
    const { rows } = await client.query<{ id: number }>(
      `insert into users (first_name, last_name, phone, password, is_verified)
       select 'Personne', 'du banc', '+22651' || lpad(n::text, 6, '0'), $2, true from generate_series(1, $1) n
       order by n returning id`,
      [count, password],
    );
    const ids = rows.map(({ id }) => id);
    const first = ids.reduce((a, b) => Math.min(a, b));
    await client.query(
      `insert into sessions (sid, user_id, expire)
       select encode(sha256((${cookieInSql})::bytea), 'hex'), id, now() + interval '30 days' - interval '1 minute'
       from unnest($1::int[]) id`,
      [ids],
    );
    await client.query(
      `with sample as (
         select row_number() over (order by id desc)::int as place, tickets.* from tickets
         where dial_code is not null order by id desc limit 20
       )
       insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission, total_price,
                            service_path, beneficiary_phone_number, dial_code, fingerprint)
       select person.id, service_id, 'pending', payment_type_id, payment_type_name, amount, commission, total_price, service_path,
              beneficiary_phone_number, dial_code, fingerprint
       from unnest($1::int[]) with ordinality person (id, number) join sample on place <= case when number <= $2 then 20 else 2 end
       order by place, number`,
      [ids, busy],
    );
    await client.query(
      `insert into ticket_events (ticket_id, status, actor_id, created_at)
       select id, status, user_id, created_at from tickets where user_id = any($1)`,
      [ids],
    );
    await client.query(
      `insert into notifications (user_id, title, message, type, is_read)
       select id, 'Demande approuvée', 'Votre demande n° ' || n || ' (Bouquet Access) a été approuvée.', 'success', n > 2
       from unnest($1::int[]) id cross join generate_series(1, 5) n order by n, id`,
      [ids],
    );
    await client.query('vacuum (analyze)');
    return { first, count: ids.length };
  } finally {
    client.release(true);
  }
}

/** An order that the product takes. */
export interface Order {
  serviceId: number;
  servicePath: { id: number }[];
  beneficiaryPhoneNumber: string;
  paymentTypeName: string;
  totalPrice: string;
}

/** The starter's television bouquet, by Wave. */
export async function readOrder(url: string): Promise<Order> {
  const get = async (path: string) => (await fetch(url + path)).json();
  const path: { id: number; name: string }[] = [];
  for (const name of ['Factures et paiements', 'Télévision', 'Bouquet Access']) {
    const parent = path.at(-1);
    const level = (await get(`/api/services${parent ? `?parentId=${parent.id}` : ''}`)) as typeof path;
    const found = level.find((service) => service.name === name);
    if (!found) throw new Error(`no service called ${name}`);
    path.push(found);
  }
  return {
    serviceId: path.at(-1)?.id ?? 0,
    servicePath: path.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '+22670123456',
    paymentTypeName: 'Wave',
    totalPrice: '5100',
  };
}
