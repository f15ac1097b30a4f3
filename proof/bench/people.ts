import { createHash, createHmac } from 'node:crypto';
import path from 'node:path';
import type pg from 'pg';
import type { Service } from '../../contract/catalogue.ts';
import { sessionCookie } from '../../server/features/entry/session-cookie.ts';
import { type Ends, startChild } from './children.ts';
import type { Target } from './generator.ts';
import { fill, makeFolder, type OpenProduct, openProduct } from './product.ts';

/** The id of a person's session, which follows from their own so that no list of them is needed. */
const sidOf = (id: number) => createHash('sha256').update(`bench:${id}`).digest('base64url');
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

/** Filings, one of each person, of an order that the product takes: the starter's television bouquet, by Wave. */
export async function ordersOf(url: string, ids: number[], cookie: (id: number) => string): Promise<Target[]> {
  const all = (await (await fetch(`${url}/api/catalogue`)).json()) as Service[];
  const way = all.filter(({ name }) => name === 'Bouquet Access');
  for (let parent = way[0]?.parentId; parent; parent = way[0]?.parentId)
    way.unshift(...all.filter(({ id }) => id === parent));
  const order = {
    serviceId: way.at(-1)?.id,
    servicePath: way.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '+22670123456',
    paymentTypeName: 'Wave',
    totalPrice: '5100',
  };
  const bodyOf = (userId: number) => JSON.stringify({ ...order, userId });
  return ids.map((id) => ({ head: headOf('POST', '/api/tickets', cookie(id)), body: bodyOf(id) }));
}

/** The head of a request as a browser sends it. */
export function headOf(method: string, path: string, cookie: string): string {
  const headers = ['host: localhost', 'accept: application/json', 'accept-encoding: gzip, deflate, br'];
  return [`${method} ${path} HTTP/1.1`, ...headers, `cookie: ${cookie}`].map((line) => `${line}\r\n`).join('');
}

const secret = 'secret-du-banc';

/** The cookie of a person's session as express-session signs it. */
export function expressCookieOf(id: number): string {
  const signature = createHmac('sha256', secret).update(sidOf(id)).digest('base64').replace(/=+$/, '');
  return `connect.sid=${encodeURIComponent(`s:${sidOf(id)}.${signature}`)}`;
}

/** Starts express on the product's database and signs these people in there too. */
export async function startExpress(ends: Ends, { database, pool }: OpenProduct, ids: number[]) {
  const settings = { DATABASE: JSON.stringify(database), SESSION_SECRET: secret };
  const child = startChild(ends, path.join(import.meta.dirname, 'peers/express.ts'), settings);
  const { port } = await child.hear<{ port: number }>();
  // Its first look-up makes the table.
  await fetch(`http://127.0.0.1:${port}/api/tickets/user/1`, { headers: { cookie: expressCookieOf(1) } });
  await pool.query(
    `insert into session (sid, sess, expire)
     select sid, json_build_object('cookie', json_build_object('originalMaxAge', 2592000000, 'expires', now() + interval '30 days',
              'httpOnly', true, 'path', '/', 'sameSite', 'lax'), 'userId', id), now() + interval '30 days'
     from unnest($1::text[], $2::int[]) as each (sid, id)`,
    [ids.map(sidOf), ids],
  );
  return { port, pid: child.pid };
}
