import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { orderBody } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  buildTicket,
  knownPassword,
  signInAs,
} from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { whileLocked } from '#server/testing/while-locked.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

/** On a busy machine a look at the feed may come late, and until it has come nothing is kept, nor answered from memory. */
const untilLive = () => eventually(() => expect(api.app.changeFeed.isLive()).toBe(true));

/** Does work that is to ask the database for nothing: nobody could answer it. */
const fromMemory = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  await untilLive();
  return whileLocked(api.config, work);
};
const etagOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers.etag);
const poll = (client: TestClient, url: string, etag: string) => client.get(url, { 'if-none-match': etag });

/** Somebody with a ticket and a notification, and the three addresses that their phone polls. */
async function buildPerson() {
  const { user, client } = await buildCaller(api);
  const ticket = await buildTicket(api.db, user.id);
  const notification = await buildNotification(api.db, user.id);
  const urls = [
    `/api/tickets/user/${user.id}`,
    `/api/notifications/user/${user.id}`,
    `/api/notifications/user/${user.id}/unread-count`,
  ];
  const etags = new Map<string, string>();
  // What was made by SQL is known: its news would drop what is kept of the answers.
  await api.app.changeFeed.catchUp();
  await untilLive();
  for (const url of urls) {
    const answer = await client.get(url);
    // A refusal has none, and the next poll would be answered whole.
    expect(answer.headers.etag, `${answer.status} ${url}`).toBeDefined();
    etags.set(url, etagOf(answer));
  }
  const pollAll = () => Promise.all(urls.map(async (url) => (await poll(client, url, etags.get(url) ?? '')).status));
  return { user, client, ticket, notification, urls, pollAll, etag: (url = '') => etags.get(url) ?? '' };
}

describe('a poll', () => {
  test('that finds nothing new is 304 without a body, and asks the database nothing', async () => {
    const { client, urls, pollAll, etag } = await buildPerson();
    expect(await fromMemory(pollAll)).toEqual([304, 304, 304]);
    const answer = await poll(client, urls[0] ?? '', etag(urls[0]));
    expect(answer.raw.length).toBe(0);
    expect(answer.headers).toMatchObject({ etag: etag(urls[0]), 'cache-control': 'no-store' });
    expect(answer.headers['x-total-count']).toBeUndefined();
  });

  test('is answered anew after a change, under another ETag, and the other lists are not', async () => {
    const { client, ticket, urls, pollAll, etag } = await buildPerson();
    await admin.patch(`/api/tickets/${ticket.id}/status`, { status: 'approved' });
    const anew = await poll(client, urls[0] ?? '', etag(urls[0]));
    expect(anew).toMatchObject({ status: 200, body: [{ id: ticket.id, status: 'approved' }] });
    expect(etagOf(anew)).not.toBe(etag(urls[0]));
    expect(await pollAll()).toEqual([200, 200, 200]);
    const before = etagOf(await client.get(urls[1] ?? ''));
    await client.get(urls[2] ?? '');
    await api.pool.query("update tickets set reject_reason = 'à la main' where id = $1", [ticket.id]);
    expect((await fromMemory(() => poll(client, urls[1] ?? '', before))).status).toBe(304);
    expect((await poll(client, urls[0] ?? '', etagOf(anew))).body).toMatchObject([{ rejectReason: 'à la main' }]);
  });

  test("of somebody else costs nothing when a ticket is filed, and an administrator's when a guest arrives", async () => {
    const { pollAll } = await buildPerson();
    const lists = [
      '/api/admin/tickets?limit=20',
      '/api/admin/services',
      '/api/admin/audit?limit=1',
      '/api/admin/pending-tickets',
    ];
    const readLists = () => Promise.all(lists.map((url) => admin.get(url)));
    const etags = (await readLists()).map(etagOf);
    const pollLists = () =>
      Promise.all(lists.map(async (url, index) => (await poll(admin, url, etags[index] ?? '')).status));
    await api.client().post('/api/auth/guest');
    expect(await fromMemory(pollLists)).toEqual([304, 304, 304, 304]);

    const { client } = await buildCaller(api);
    const path = await buildFinalService(api.db);
    const { name } = await buildPaymentType(api.db, 'Wave');
    await client.post('/api/tickets', orderBody(path, { paymentTypeName: name }));
    expect(await fromMemory(pollAll)).toEqual([304, 304, 304]);
  });
});

describe('what is kept is of a person', () => {
  test('two sessions of theirs share it; nobody else gets it, whatever they name', async () => {
    const { user, urls, etag } = await buildPerson();
    const second = await signInAs(api, user);
    expect((await poll(second, urls[0] ?? '', etag(urls[0]))).status).toBe(304);
    const { client: stranger } = await buildCaller(api);
    for (const url of urls) {
      expect((await poll(stranger, url, etag(url))).status).toBe(403);
      expect((await poll(api.client(), url, etag(url))).status).toBe(401);
    }
    const forged = api.client();
    forged.cookies.set('guichet_session', 'A'.repeat(43));
    expect((await poll(forged, urls[0] ?? '', etag(urls[0]))).status).toBe(401);
  });

  test.each(['sign-out', 'another password', 'an update by hand'])('it ends with %s, at once', async (end) => {
    const { user, client, urls, pollAll, etag } = await buildPerson();
    const cookie = client.cookies.get('guichet_session') ?? '';
    expect(await pollAll()).toEqual([304, 304, 304]);
    if (end === 'sign-out') await client.post('/api/auth/signout');
    if (end === 'another password')
      await admin.patch(`/api/admin/users/${user.id}/reset-password`, { password: `${knownPassword}1` });
    if (end === 'an update by hand') {
      await api.pool.query('update sessions set expire = now() where user_id = $1', [user.id]);
      await api.app.changeFeed.catchUp();
    }
    // By the very address that answered from memory, and without the help that tests have.
    const answer = await request(api.app, {
      url: urls[0] ?? '',
      headers: { 'if-none-match': etag(urls[0]) },
      cookies: { guichet_session: cookie },
    });
    expect(answer.statusCode).toBe(401);
  });

  test('a session ends by itself when its time is over, and is renewed a day after it began', async () => {
    const { user, client, urls, etag } = await buildPerson();
    await api.pool.query(
      "update sessions set expire = now() + interval '29 days' - interval '1 s' where user_id = $1",
      [user.id],
    );
    const renewed = await poll(client, urls[0] ?? '', etag(urls[0]));
    expect([renewed.status, String(renewed.headers['set-cookie'])]).toEqual([
      304,
      expect.stringContaining('Max-Age=2592000'),
    ]);
    expect((await poll(client, urls[0] ?? '', etag(urls[0]))).headers['set-cookie']).toBeUndefined();

    const { user: boss, client: short } = await buildAdmin(api);
    await api.pool.query("update sessions set expire = now() + interval '1 hour' where user_id = $1", [boss.id]);
    expect((await short.get('/api/auth/me')).status).toBe(200);
    await api.pool.query("update sessions set expire = now() + interval '700 ms' where user_id = $1", [boss.id]);
    await eventually(async () => expect((await short.get('/api/auth/me')).status).toBe(401));
  });
});

test('a body is compressed for who takes gzip, plain for others, and the same', async () => {
  await buildFinalService(api.db, { name: 'É'.repeat(60), description: 'x'.repeat(800) });
  const read = (encoding: string) =>
    request(api.app, { url: '/api/catalogue', headers: { 'accept-encoding': encoding } });
  const plain = await read('identity');
  // The plain form is kept for those who wait for it only.
  await setImmediate();
  for (const encoding of ['gzip', 'br, gzip;q=0.5', '*', 'gzip, deflate, br, zstd']) {
    const packed = await read(encoding);
    expect([encoding, packed.headers['content-encoding']]).toEqual([encoding, 'gzip']);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.payload);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    expect(packed.headers.etag).toBe(plain.headers.etag);
    expect(packed.headers.vary).toBe('accept-encoding');
  }
  for (const encoding of ['gzip;q=0', 'br', 'gzip; q=0.0, br', 'xgzip']) {
    const again = await read(encoding);
    expect([encoding, again.headers['content-encoding'], again.payload]).toEqual([encoding, undefined, plain.payload]);
  }
});

test('a write is answered when this process knows of it: who wrote reads it at once', async () => {
  const { client, notification, urls } = await buildPerson();
  const unread = async () => {
    const { payload } = await request(api.app, {
      url: urls[2] ?? '',
      cookies: { guichet_session: client.cookies.get('guichet_session') ?? '' },
    });
    return JSON.parse(payload).count;
  };
  expect(await unread()).toBe(1);
  await client.patch(`/api/notifications/${notification.id}/read`);
  expect(await unread()).toBe(0);
});

test('what also depends on the time is answered from memory, for a minute at most', async () => {
  const url = '/api/admin/payments/proposals';
  await api.app.changeFeed.catchUp();
  await untilLive();
  const etag = etagOf(await admin.get(url));
  expect((await fromMemory(() => poll(admin, url, etag))).status).toBe(304);
  const { made } = api.app.answers.counts;
  using _ = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  await eventually(async () => {
    expect((await poll(admin, url, etag)).status).toBe(304);
    expect(api.app.answers.counts.made).toBe(made + 1);
  });
});
