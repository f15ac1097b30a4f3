import { createHash } from 'node:crypto';
import type pg from 'pg';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import type { Ends } from './children.ts';
import { fill, makeFolder, openProduct } from './product.ts';

/** The id of a person's session, which follows from their own so that no list of them is needed. */
export const sidOf = (id: number) => createHash('sha256').update(`bench:${id}`).digest('base64url');
const sidInSql = "translate(rtrim(encode(sha256(('bench:' || id)::bytea), 'base64'), '='), '+/', '-_')";
/** Their cookie. */
export const cookieOf = (id: number) => `${sessionCookie}=${sidOf(id)}`;

/**
 * The product with so many people who are signed in, the first `busy` of them with twenty tickets and the others with two, all with
 * five notifications of which two are unread; `ids` are theirs.
 */
export async function openWithPeople(ends: Ends, count: number, busy: number) {
  const folder = makeFolder(ends);
  let ids: number[] = [];
  await fill(ends, folder, { users: 1_000, tickets: 20_000 }, async (pool) => {
    ids = await addPeople(pool, count, busy);
  });
  return { product: await openProduct(ends, folder), ids };
}

async function addPeople(pool: pg.Pool, count: number, busy: number): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query("set guichet.quiet = 'on'; set statement_timeout = 0; set work_mem = '64MB'");
    const { rows } = await client.query<{ id: number }>(
      `insert into users (first_name, last_name, phone, password, is_verified)
       select 'Personne', 'du banc', '+22651' || lpad(n::text, 6, '0'), '-', true from generate_series(1, $1) n
       order by n returning id`,
      [count],
    );
    const ids = rows.map(({ id }) => id);
    await client.query(
      `insert into sessions (sid, user_id, expire)
       select encode(sha256((${sidInSql})::bytea), 'hex'), id, now() + interval '30 days' - interval '1 minute'
       from unnest($1::int[]) id`,
      [ids],
    );
    await client.query(
      `with sample as (
         select row_number() over (order by id desc)::int as place, tickets.* from tickets
         where dial_code is not null order by id desc limit 20
       ), filed as (
         insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission, total_price,
                              service_path, beneficiary_phone_number, dial_code, fingerprint)
         select person.id, service_id, 'pending', payment_type_id, payment_type_name, amount, commission, total_price,
                service_path, beneficiary_phone_number, dial_code, fingerprint
         from unnest($1::int[]) with ordinality person (id, number)
         join sample on place <= case when number <= $2 then 20 else 2 end order by place, number
         returning id, status, user_id, created_at
       ) insert into ticket_events (ticket_id, status, actor_id, created_at) select * from filed`,
      [ids, busy],
    );
    await client.query(
      `insert into notifications (user_id, title, message, type, is_read)
       select id, 'Demande approuvée', 'Votre demande n° ' || n || ' (Bouquet Access) a été approuvée.', 'success', n > 2
       from unnest($1::int[]) id cross join generate_series(1, 5) n order by n, id`,
      [ids],
    );
    await client.query('vacuum (analyze)');
    return ids;
  } finally {
    client.release(true);
  }
}

/** An order that the product takes: the starter's television bouquet, by Wave. */
export async function readOrder(url: string) {
  const path: { id: number; name: string }[] = [];
  for (const name of ['Factures et paiements', 'Télévision', 'Bouquet Access']) {
    const parent = path.at(-1);
    const level = await (await fetch(`${url}/api/services${parent ? `?parentId=${parent.id}` : ''}`)).json();
    const found = (level as typeof path).find((service) => service.name === name);
    if (!found) throw new Error(`no service called ${name}`);
    path.push(found);
  }
  return {
    serviceId: path.at(-1)?.id,
    servicePath: path.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '+22670123456',
    paymentTypeName: 'Wave',
    totalPrice: '5100',
  };
}
