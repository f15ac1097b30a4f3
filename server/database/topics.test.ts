import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
import { serviceForm, ticketRequest } from '#server/testing/requests.ts';
import { startTestApp, type TestApp, type TestClient, type TestResponse } from '#server/testing/test-app.ts';

let it: TestApp;
let admin: TestClient;
let listener: pg.PoolClient;
const heard: string[] = [];
let marks = 0;
beforeAll(async () => {
  it = await startTestApp();
  admin = (await buildAdmin(it)).client;
  listener = await it.pool.connect();
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query('listen guichet_changes');
});
afterAll(async () => {
  listener.release(true);
  await it.close();
});

/** A topic of the test's own: once it is heard, so is all that was committed before it. Answers where it stands. */
async function mark(): Promise<number> {
  marks += 1;
  const topic = `mark:${marks}`;
  await it.pool.query("select pg_notify('guichet_changes', $1)", [topic]);
  await vi.waitFor(() => expect(heard).toContain(topic), { timeout: 5_000, interval: 5 });
  return heard.indexOf(topic);
}

/** The topics a call announces. */
async function topicsOf(status: number, call: () => Promise<TestResponse>): Promise<string[]> {
  const start = await mark();
  expect((await call()).status).toBe(status);
  return heard.slice(start + 1, await mark());
}

const sidOf = (client: TestClient) =>
  createHash('sha256')
    .update(client.cookies.get('guichet_session') ?? '')
    .digest('hex');

test('a ticket is announced to its user and to the administrators, its decision to the notifications too', async () => {
  const { user, client } = await buildCaller(it);
  const path = await buildFinalService(it.db);
  await buildPaymentType(it.db);
  const filed = await topicsOf(201, () => client.post('/api/tickets', ticketRequest(path)));
  expect(filed).toEqual(expect.arrayContaining(['tickets', `user:${user.id}:tickets`]));
  expect(filed).not.toContain(`user:${user.id}:notifications`);

  const { id } = await buildTicket(it.db, user.id);
  const decide = () => admin.patch(`/api/tickets/${id}/status`, { status: 'approved' });
  expect(await topicsOf(200, decide)).toEqual(
    expect.arrayContaining(['tickets', `user:${user.id}:tickets`, `user:${user.id}:notifications`]),
  );
  expect(await topicsOf(200, decide)).not.toContain(`user:${user.id}:notifications`);
});

test('a notification read is announced to its user alone', async () => {
  const { user, client } = await buildCaller(it);
  const { id } = await buildNotification(it.db, user.id);
  const topics = await topicsOf(200, () => client.patch(`/api/notifications/${id}/read`));
  expect(topics.filter((topic) => topic.includes(':notifications'))).toEqual([`user:${user.id}:notifications`]);
});

test('every change of the catalogue is announced, ranges included', async () => {
  const create = () => admin.post('/api/services', serviceForm({ name: 'Eau' }));
  expect(await topicsOf(201, create)).toContain('services');
  const id = (await create()).body.id;
  const url = `/api/admin/services/${id}`;
  expect(await topicsOf(200, () => admin.put(url, serviceForm({ name: 'Gaz' })))).toContain('services');
  const commissionRanges = [{ minPrice: 1, maxPrice: null, commissionType: 'fixed', commissionValue: 5 }];
  expect(await topicsOf(200, () => admin.put(url, serviceForm({ commissionRanges })))).toContain('services');
  expect(await topicsOf(200, () => admin.delete(url))).toContain('services');
});

test('payment types, pages and the background are announced', async () => {
  const name = 'Topic';
  expect(await topicsOf(201, () => admin.post('/api/admin/payment-types', { name }))).toContain('payment-types');
  const type = await buildPaymentType(it.db, 'Autre');
  const typeUrl = `/api/admin/payment-types/${type.id}`;
  expect(await topicsOf(200, () => admin.put(typeUrl, { isActive: false }))).toContain('payment-types');
  expect(await topicsOf(200, () => admin.delete(typeUrl))).toContain('payment-types');

  const page = { slug: 'sujet', title: 'T', content: 'x' };
  expect(await topicsOf(201, () => admin.post('/api/admin/content-pages', page))).toContain('content-pages');
  const [{ id }] = (await admin.get('/api/admin/content-pages')).body;
  const pageUrl = `/api/admin/content-pages/${id}`;
  expect(await topicsOf(200, () => admin.put(pageUrl, { isActive: false }))).toContain('content-pages');
  expect(await topicsOf(200, () => admin.delete(pageUrl))).toContain('content-pages');

  expect(await topicsOf(200, () => admin.post('/api/admin/background-settings', { blur: 3 }))).toContain('background');
});

test('the end of a session is announced under the hash that the database knows, never under the cookie', async () => {
  const { client } = await buildCaller(it);
  const [cookie, sid] = [client.cookies.get('guichet_session') ?? '', sidOf(client)];
  const topics = await topicsOf(200, () => client.post('/api/auth/signout'));
  expect(topics).toContain(`session:${sid}`);
  expect(topics.join()).not.toContain(cookie);
});

test('signing in again ends the session before', async () => {
  const { user, client } = await buildCaller(it);
  const sid = sidOf(client);
  const again = () => client.post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword });
  expect(await topicsOf(200, again)).toContain(`session:${sid}`);
});

test.each(['deactivate', 'reset-password'])('%s announces the user and the end of each session', async (action) => {
  const { user, client } = await buildCaller(it);
  const body = action === 'reset-password' ? { password: 'nouveau1' } : undefined;
  const topics = await topicsOf(200, () => admin.patch(`/api/admin/users/${user.id}/${action}`, body));
  expect(topics).toEqual(expect.arrayContaining(['users', `user:${user.id}`, `session:${sidOf(client)}`]));
});

test('activating and deleting announce the user; deleting, also the tickets that lose theirs', async () => {
  const user = await buildUser(it.db, { isVerified: false });
  const activate = () => admin.patch(`/api/admin/users/${user.id}/activate`);
  expect(await topicsOf(200, activate)).toEqual(expect.arrayContaining(['users', `user:${user.id}`]));
  await buildTicket(it.db, user.id);
  await buildNotification(it.db, user.id);
  expect(await topicsOf(200, () => admin.delete(`/api/admin/users/${user.id}`))).toEqual(
    expect.arrayContaining([
      ...['users', 'tickets', `user:${user.id}`, `user:${user.id}:tickets`, `user:${user.id}:notifications`],
    ]),
  );
});

test('a sign-up and a guest are announced to the list of users', async () => {
  const form = {
    ...{ firstName: 'Awa', lastName: 'Kaboré', phone: '+22676000001', countryCode: '+226' },
    ...{ password: 'secret1', confirmPassword: 'secret1' },
  };
  expect(await topicsOf(201, () => it.client().post('/api/auth/signup', form))).toContain('users');
  expect(await topicsOf(200, () => it.client().post('/api/auth/guest'))).toContain('users');
});

test('what is refused or only read announces nothing', async () => {
  const { client } = await buildCaller(it);
  const path = await buildFinalService(it.db);
  const about = /^(?:user:|session:|users$|tickets$|services$|payment-types$|content-pages$|background$)/;
  const calls: [number, () => Promise<TestResponse>][] = [
    [200, () => it.client().get('/api/services')],
    [200, () => admin.get('/api/admin/tickets')],
    [409, () => client.post('/api/tickets', ticketRequest(path, { totalPrice: 1 }))],
    [403, () => client.post('/api/services', serviceForm({ name: 'x' }))],
    [400, () => admin.post('/api/services', serviceForm({ name: 'x', parentId: 2_000_000_000 }))],
    [409, () => admin.delete(`/api/admin/services/${path[0]?.id}`)],
    [401, () => it.client().post('/api/auth/signin', { phoneOrEmail: '+22670999999', password: 'faux-mot' })],
  ];
  for (const [status, call] of calls)
    expect((await topicsOf(status, call)).filter((topic) => about.test(topic))).toEqual([]);
});
