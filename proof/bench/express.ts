import { createHmac } from 'node:crypto';
import path from 'node:path';
import { type Ends, startChild } from './children.ts';
import { sidOf } from './people.ts';
import type { OpenProduct } from './product.ts';

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
