import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import { signInAdministrator } from './administrator.ts';
import type { OpenProduct } from './open-product.ts';
import { cookieOf, idsOf, type People, readOrder } from './people.ts';

export interface Written {
  done: number;
  /** By status, or by what broke. */
  failed: Record<string, number>;
  latencies: number[];
}

/**
 * Writes through the API beside a crowd that polls: tickets are filed, others decided, notifications marked read, by turns,
 * so many a second whatever becomes of those before, each for another person.
 */
export async function openWriter(product: OpenProduct, pool: pg.Pool, people: People) {
  const [order, admin] = [await readOrder(product.url), await signInAdministrator(product)];
  const ids = idsOf(people);
  const list = async (query: string) => (await pool.query<{ id: number; userId: number }>(query, [ids])).rows;
  const pending = await list(
    `select id, user_id as "userId" from tickets where status = 'pending' and user_id = any($1)
     order by hashint4(id) limit 20000`,
  );
  const unread = await list(
    `select id, user_id as "userId" from notifications where not is_read and user_id = any($1)
     order by hashint4(id) limit 20000`,
  );
  let turn = 0;
  const call = (method: string, path: string, cookie: string, body?: object) =>
    fetch(product.url + path, {
      method,
      headers: {
        cookie,
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const own = (id: number) => `${sessionCookie}=${cookieOf(id)}`;
  const write = (): Promise<Response> => {
    turn += 1;
    const ticket = pending.at(turn % pending.length);
    const notification = unread.at(turn % unread.length);
    const person = ids.at((turn * 7_919) % ids.length) ?? 0;
    if (turn % 5 < 2) return call('POST', '/api/tickets', own(person), { ...order, userId: person });
    if (turn % 5 < 4) return call('PATCH', `/api/tickets/${ticket?.id}/status`, admin, { status: 'approved' });
    return call('PATCH', `/api/notifications/${notification?.id}/read`, own(notification?.userId ?? 0));
  };
  return {
    /** Begins to write; answers what ends it, and tells what came of it. */
    start(perSecond: number): () => Promise<Written> {
      const written: Written = { done: 0, failed: {}, latencies: [] };
      const under = new Set<Promise<void>>();
      const one = async () => {
        const since = performance.now();
        const outcome = await write().then(
          async (answer) => {
            await answer.arrayBuffer();
            return answer.ok ? '' : String(answer.status);
          },
          (error: Error) => error.message,
        );
        written.latencies.push(performance.now() - since);
        if (outcome) written.failed[outcome] = (written.failed[outcome] ?? 0) + 1;
        else written.done += 1;
      };
      const timer = setInterval(() => {
        const writing = one().finally(() => under.delete(writing));
        under.add(writing);
      }, 1_000 / perSecond);
      return async () => {
        clearInterval(timer);
        await Promise.all(under);
        return written;
      };
    },
  };
}
