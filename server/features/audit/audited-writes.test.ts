import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { auditFields } from '#contract/audit-words.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { ofJobs, watchRows } from '#server/testing/digest-of-rows.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { eventually } from '#server/testing/eventually.ts';
import { makeRequest, setStage } from '#server/testing/stage.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin, user: administrator } = await buildAdmin(api);

/** Their texts are too long for an address. */
const readByPost = ['lookAtShape', 'readMessages'];
const writes = endpoints.filter(
  ({ access, method, operation }) => access === 'admin' && method !== 'GET' && !readByPost.includes(operation),
);
const countEntries = () => countRows(api, 'audit_log');

test.each(writes.map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s is recorded once, with who, what and on what; where its entry cannot be written it leaves nothing behind',
  async (call, endpoint) => {
    const { method, url, body, headers } = await makeRequest(endpoint, setStage(api, await buildUser(api.db)));
    const send = () => admin.send(method, url, body, headers);
    const digest = await watchRows(api.pool, ofJobs);
    const [before, entries] = [await digest(), await countEntries()];
    await api.pool.query(`
      create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'log is full'; end $$;
      create trigger refuse_entry before insert on audit_log execute function refuse_entry()`);
    try {
      expect((await send()).status).toBe(500);
    } finally {
      await api.pool.query('drop function refuse_entry cascade');
    }
    expect(await digest()).toEqual(before);

    expect((await send()).status).toBe(endpoint.status ?? 200);
    expect(await countEntries()).toBe(entries + 1);
    const { rows } = await api.pool.query('select * from audit_log order by id desc limit 1');
    expect(rows[0]).toMatchObject({ action: call, actor_id: administrator.id, ip: '127.0.0.1' });
    if (!/upload|background|contact|reject-reasons|import|password|pasted|\/sms\//.test(endpoint.path))
      expect(rows[0].target).toMatch(/^\d+$/);
    // The log shows them in French.
    const { before: earlier = {}, ...after } = rows[0].details;
    expect(Object.keys(auditFields)).toEqual(expect.arrayContaining(Object.keys({ ...earlier, ...after })));
  },
);

test('decisions whose senders hang up at once: as many entries as changes, with their address', async () => {
  const { id: userId } = await buildUser(api.db);
  const ids: number[] = [];
  while (ids.length < 10) ids.push((await buildTicket(api.db, userId)).id);
  const port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const body = JSON.stringify({ status: 'approved' });
  // Each hangs up in the middle of its transaction, which waits for the ticket's owner.
  const holder = await api.pool.connect();
  await holder.query('begin');
  await holder.query('select from users where id = $1 for update', [userId]);
  const send = async (id: number) => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `PATCH /api/tickets/${id}/status HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  };
  const sockets = await Promise.all(ids.map(send));
  // All of them: one that began after this test would change the rows of another.
  await eventually(async () => {
    const { rows } = await api.pool.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows[0].n).toBe(ids.length);
  });
  for (const socket of sockets) socket.destroy();
  await holder.query('commit');
  holder.release();
  // One statement, so one moment: at none may the two differ.
  await eventually(async () => {
    const { rows } = await api.pool.query(
      `select (select count(*) from tickets where id = any($1) and status = 'approved')::int as changes,
              (select count(*) from audit_log where target = any($2) and action like '%/status' and ip = '127.0.0.1')::int as entries,
              (select count(*) from pg_stat_activity where datname = current_database() and xact_start is not null)::int as at_work`,
      [ids, ids.map(String)],
    );
    expect(rows[0].entries).toBe(rows[0].changes);
    expect(rows[0].changes).toBe(ids.length);
    expect(rows[0].at_work, 'this statement alone').toBe(1);
  });
});
