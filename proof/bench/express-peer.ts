import { createHmac } from 'node:crypto';
import path from 'node:path';
import type pg from 'pg';
import { startChild } from './children.ts';
import { environmentOf } from './open-product.ts';
import { cookieOf, idsOf, type People } from './people.ts';
import type { Stage } from './stage.ts';

export const expressPeer = path.join(import.meta.dirname, 'peers/express.ts');
const secret = 'secret-du-banc';

/** The cookie of a person's session as express-session signs it. */
export function expressCookieOf(id: number): string {
  const sid = cookieOf(id);
  const signature = createHmac('sha256', secret).update(sid).digest('base64').replace(/=+$/, '');
  return `connect.sid=${encodeURIComponent(`s:${sid}.${signature}`)}`;
}

/** Starts express on the product's database and signs all these people in there too. */
export async function startExpress(stage: Stage, database: pg.ClientConfig, pool: pg.Pool, people: People) {
  const child = startChild(stage, expressPeer, { ...environmentOf(database), SESSION_SECRET: secret });
  const { port } = await child.hear<{ port: number }>();
  // Its first look-up makes the table.
  await fetch(`http://127.0.0.1:${port}/api/tickets/user/1`, { headers: { cookie: expressCookieOf(1) } });
  const ids = idsOf(people);
  await pool.query(
    `insert into session (sid, sess, expire)
     select sid, json_build_object('cookie', json_build_object('originalMaxAge', 2592000000, 'expires', now() + interval '30 days',
              'httpOnly', true, 'path', '/', 'sameSite', 'lax'), 'userId', id), now() + interval '30 days'
     from unnest($1::text[], $2::int[]) as each (sid, id)`,
    [ids.map(cookieOf), ids],
  );
  return { port, pid: child.pid };
}
