import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderBody, serviceForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  buildTicket,
  buildUser,
  knownPassword,
} from '#server/testing/builders.ts';
import { hearTopics, sidOf, type TopicListener } from '#server/testing/hear-topics.ts';
import { startTestApi, type TestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
let heard: TopicListener;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
  heard = hearTopics(api);
});
afterAll(() => api.close());

test('a ticket is announced to its user and to the administrators, its decision to the notifications too', async () => {
  const { user, client } = await buildCaller(api);
  const path = await buildFinalService(api.db);
  await buildPaymentType(api.db);
  const filed = await heard.of(201, () => client.post('/api/tickets', orderBody(path)));
  expect(filed).toEqual(expect.arrayContaining(['tickets', `user:${user.id}:tickets`]));
  expect(filed).not.toContain(`user:${user.id}:notifications`);

  const { id } = await buildTicket(api.db, user.id);
  const decide = () => admin.patch(`/api/tickets/${id}/status`, { status: 'approved' });
  expect(await heard.of(200, decide)).toEqual(
    expect.arrayContaining(['tickets', `user:${user.id}:tickets`, `user:${user.id}:notifications`]),
  );
  expect(await heard.of(200, decide)).not.toContain(`user:${user.id}:notifications`);
});

test('a notification read is announced to its user alone', async () => {
  const { user, client } = await buildCaller(api);
  const { id } = await buildNotification(api.db, user.id);
  const topics = await heard.of(200, () => client.patch(`/api/notifications/${id}/read`));
  expect(topics.filter((topic) => topic.includes(':notifications'))).toEqual([`user:${user.id}:notifications`]);
});

test('the end of a session is announced under the hash that the database knows, never under the cookie', async () => {
  const { client } = await buildCaller(api);
  const [cookie, sid] = [client.cookies.get('guichet_session') ?? '', sidOf(client)];
  const topics = await heard.of(200, () => client.post('/api/auth/signout'));
  expect(topics).toContain(`session:${sid}`);
  expect(topics.join()).not.toContain(cookie);
});

test('signing in again ends the session before', async () => {
  const { user, client } = await buildCaller(api);
  const sid = sidOf(client);
  const again = () => client.post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword });
  expect(await heard.of(200, again)).toContain(`session:${sid}`);
});

test.each(['deactivate', 'reset-password'])('%s announces the user and the end of each session', async (action) => {
  const { user, client } = await buildCaller(api);
  const body = action === 'reset-password' ? { password: 'nouveau1' } : undefined;
  const topics = await heard.of(200, () => admin.patch(`/api/admin/users/${user.id}/${action}`, body));
  expect(topics).toEqual(expect.arrayContaining(['users', `user:${user.id}`, `session:${sidOf(client)}`]));
});

test('activating and deleting announce the user; deleting, also the tickets that lose theirs', async () => {
  const user = await buildUser(api.db, { isVerified: false });
  const activate = () => admin.patch(`/api/admin/users/${user.id}/activate`);
  expect(await heard.of(200, activate)).toEqual(expect.arrayContaining(['users', `user:${user.id}`]));
  await buildTicket(api.db, user.id);
  await buildNotification(api.db, user.id);
  expect(await heard.of(200, () => admin.delete(`/api/admin/users/${user.id}`))).toEqual(
    expect.arrayContaining([
      'users',
      'tickets',
      `user:${user.id}`,
      `user:${user.id}:tickets`,
      `user:${user.id}:notifications`,
    ]),
  );
});

test('what is refused or only read announces nothing, but for its own row in the audit log', async () => {
  const { client } = await buildCaller(api);
  const path = await buildFinalService(api.db);
  const recorded = ['audit'];
  const calls: [number, string[], () => Promise<TestResponse>][] = [
    [200, [], () => api.client().get('/api/services')],
    [200, [], () => admin.get('/api/admin/tickets')],
    [200, [], () => admin.get('/api/admin/audit')],
    [409, [], () => client.post('/api/tickets', orderBody(path, { totalPrice: 1 }))],
    [403, recorded, () => client.post('/api/services', serviceForm({ name: 'x' }))],
    // A repeated one is counted, and written when the period ends.
    [403, [], () => client.post('/api/services', serviceForm({ name: 'x' }))],
    [400, recorded, () => admin.post('/api/services', serviceForm({ name: 'x', parentId: 2_000_000_000 }))],
    [409, recorded, () => admin.delete(`/api/admin/services/${path[0]?.id}`)],
    [
      401,
      recorded,
      () => api.client().post('/api/auth/signin', { phoneOrEmail: '+22670999999', password: 'faux-mot' }),
    ],
    [200, recorded, () => admin.get('/api/admin/audit-export')],
  ];
  for (const [status, announced, call] of calls) expect(await heard.of(status, call)).toEqual(announced);
});

test('a table that announces its changes announces insertions, updates and deletions; a session its end', async () => {
  // pg_trigger.tgtype, PostgreSQL's catalog: 4 for INSERT, 8 for DELETE, 16 for UPDATE.
  const { rows } = await api.pool.query<{ name: string; kinds: number }>(
    `select tgrelid::regclass::text as name, bit_or(tgtype & 28)::int as kinds from pg_trigger
     where tgname like '%\\_announce%' group by 1`,
  );
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter(({ kinds }) => kinds !== 28)).toEqual([{ name: 'sessions', kinds: 8 }]);
});
