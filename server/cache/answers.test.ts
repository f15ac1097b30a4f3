import { setImmediate } from 'node:timers/promises';
import zlib, { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasETag } from '#contract/endpoint.ts';
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
import { request, startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { whileLocked } from '#server/testing/while-locked.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());

/** On a busy machine a look at the feed may come late, and until it has come nothing is kept, nor answered from memory. */
const untilLive = () => eventually(() => expect(api.app.changeFeed.isLive()).toBe(true));

/** Does work that is to ask the database for nothing: nobody could answer it. */
const fromMemory = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  await untilLive();
  return whileLocked(api.config, work);
};
/** Changes rows without a word to the feed: only who asks the database sees it. */
const changeSecretly = (statement: string) =>
  api.pool.query(`begin; set local guichet.quiet = 'on'; ${statement}; commit`);

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

  test.each([
    ['any', '*'],
    ['the same among others', 'W/"abcdefghijklmnop", SAME'],
    ['the same without its W/', 'STRONG'],
  ])('that names %s is 304 too', async (_, named) => {
    const { client, urls, etag } = await buildPerson();
    const own = etag(urls[0]);
    const sent = named.replace('SAME', own).replace('STRONG', own.slice(2));
    expect((await poll(client, urls[0] ?? '', sent)).status).toBe(304);
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

  test('has the ETag of before where everything is as before', async () => {
    const { client, ticket, urls, etag } = await buildPerson();
    const setReason = (reason: string | null) =>
      api.pool.query('update tickets set reject_reason = $2 where id = $1', [ticket.id, reason]);
    await setReason('x');
    expect((await poll(client, urls[0] ?? '', etag(urls[0]))).status).toBe(200);
    await setReason(null);
    expect((await poll(client, urls[0] ?? '', etag(urls[0]))).status).toBe(304);
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

  test('payment types: administrators have those that are off, others and strangers have not', async () => {
    await api.pool.query("insert into payment_types (name, is_active) values ('Éteint', false)");
    const { client } = await buildCaller(api);
    const has = async (caller: TestClient) =>
      JSON.stringify((await caller.get('/api/payment-types')).body).includes('Éteint');
    for (let turn = 0; turn < 2; turn += 1)
      expect([await has(admin), await has(client), await has(api.client())]).toEqual([true, false, false]);
    // Who has become one sees them, under the session of before; who no longer is one does not.
    const { user, client: other } = await buildCaller(api);
    expect(await has(other)).toBe(false);
    await api.pool.query('update users set is_admin = true where id = $1', [user.id]);
    expect(await has(other)).toBe(true);
    await other.post('/api/auth/signout');
    expect(await has(other)).toBe(false);
  });

  test.each(['sign-out', 'deactivation', 'deletion', 'another password', 'an update by hand'])(
    'it ends with %s, at once',
    async (end) => {
      const { user, client, urls, pollAll, etag } = await buildPerson();
      const cookie = client.cookies.get('guichet_session') ?? '';
      expect(await pollAll()).toEqual([304, 304, 304]);
      if (end === 'sign-out') await client.post('/api/auth/signout');
      if (end === 'deactivation') await admin.patch(`/api/admin/users/${user.id}/deactivate`);
      if (end === 'deletion') await admin.delete(`/api/admin/users/${user.id}`);
      if (end === 'another password')
        await admin.patch(`/api/admin/users/${user.id}/reset-password`, { password: `${knownPassword}1` });
      if (end === 'an update by hand')
        await api.pool.query('update sessions set expire = now() where user_id = $1', [user.id]);
      // By the very address that answered from memory, and without the help that tests have.
      if (end === 'an update by hand') await api.app.changeFeed.catchUp();
      const answer = await request(api.app, {
        url: urls[0] ?? '',
        headers: { 'if-none-match': etag(urls[0]) },
        cookies: { guichet_session: cookie },
      });
      expect(answer.statusCode).toBe(401);
    },
  );

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

describe('what is never answered from memory', () => {
  test('is health, and the figures of the day', async () => {
    expect((await admin.get('/api/health/ready')).headers.etag).toBeUndefined();
    const readServices = () => admin.get('/api/admin/dashboard?timeZone=Africa/Lome');
    const { headers, body } = await readServices();
    expect(headers.etag).toBeUndefined();
    await changeSecretly("insert into services (name, level) values ('En secret', 1)");
    expect((await readServices()).body.services.total).toBe(body.services.total + 1);
    const { readDashboard } = await import('#contract/dashboard.ts');
    expect(hasETag(readDashboard)).toBe(false);
  });

  test('is a refusal, and what is not there', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await admin.get('/api/content-pages/en-secret')).status).toBe(404);
      expect((await admin.get('/api/tickets/user/abc')).status).toBe(400);
    }
    await changeSecretly("insert into content_pages (slug, title, content) values ('en-secret', 'Aide', 'Texte')");
    expect((await admin.get('/api/content-pages/en-secret')).status).toBe(200);
  });

  test('is anything but a GET without a body', async () => {
    const { client, urls, etag } = await buildPerson();
    const cookies = { guichet_session: client.cookies.get('guichet_session') ?? '' };
    const headers = { 'if-none-match': etag(urls[0]) };
    const head = await request(api.app, { method: 'HEAD', url: urls[0] ?? '', cookies });
    expect([head.statusCode, head.headers.etag]).toEqual([404, undefined]);
    const post = await request(api.app, { method: 'POST', url: urls[0] ?? '', headers, cookies });
    expect(post.statusCode).toBe(404);
  });
});

describe('an address', () => {
  const read = (url: string) => request(api.app, { url });
  /** Answers kept more than before. */
  const countKept = async (urls: string[]) => {
    await untilLive();
    const before = api.app.answers.size;
    for (const url of urls) expect((await read(url)).statusCode).toBe(200);
    return api.app.answers.size - before;
  };

  test.each([
    ['with names that nobody looks at', ['?x=1', '?x=2', '?__proto__=1', '?constructor=1', '?&', '?']],
    ['in other letters', ['?%78=1', '#x', '#x=1']],
  ])('%s is the one without', async (_, added) => {
    await read('/api/payment-types');
    await read('/api/services?parentId=1');
    expect(await countKept(added.map((each) => `/api/payment-types${each}`))).toBe(0);
    const [first, ...rest] = added.map((each) => `/api/services?parentId=1${each.replace('?', '&')}`);
    expect(await countKept([first ?? '', ...rest])).toBe(0);
  });

  test('that is spelled otherwise is the same, and one that asks for something else is not', async () => {
    const [service] = await buildFinalService(api.db);
    await api.app.changeFeed.catchUp();
    const { payload } = await read(`/api/services?parentId=${service?.id}`);
    expect(JSON.parse(payload)).toHaveLength(1);
    const spelled = `/%61pi/serv%69ces?parent%49d=${service?.id}`;
    expect(await countKept([spelled])).toBe(0);
    expect((await read(spelled)).payload).toBe(payload);
    expect((await read('/api/services')).payload).not.toBe(payload);
  });
});

describe('a body', () => {
  test('is compressed for who takes gzip, plain for others, and the same', async () => {
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
      expect([encoding, again.headers['content-encoding'], again.payload]).toEqual([
        encoding,
        undefined,
        plain.payload,
      ]);
    }
  });

  test('that is kept compressed is unpacked once for all who want it plain', async () => {
    const [service] = await buildFinalService(api.db, { description: 'y'.repeat(800) });
    const read = (encoding: string) =>
      request(api.app, { url: '/api/catalogue', headers: { 'accept-encoding': encoding } });
    await api.app.changeFeed.catchUp();
    await untilLive();
    await read('gzip');
    await setImmediate();
    const unpack = vi.spyOn(zlib, 'gunzipSync');
    const plain = await Promise.all(Array.from({ length: 5 }, () => read('identity')));
    for (const { payload } of plain) expect(payload).toContain(`"id":${service?.id},`);
    expect(unpack).toHaveBeenCalledTimes(1);
  });

  test('of a page of a list says how long the list is, also from memory', async () => {
    const { client, user } = await buildPerson();
    // A short one: a long answer is kept compressed alone.
    await buildTicket(api.db, user.id, {
      paymentTypeName: 'W',
      amount: 1,
      commission: 0,
      totalPrice: '1',
      servicePath: [{ id: 1, name: 'E', price: null, level: 1 }],
    });
    await api.app.changeFeed.catchUp();
    const url = `/api/tickets/user/${user.id}?limit=1`;
    const first = await client.get(url);
    expect((await fromMemory(() => client.get(url))).headers['x-total-count']).toBe('2');
    expect([first.headers['x-total-count'], first.body.length]).toEqual(['2', 1]);
  });
});

test('a list that is longer than is counted has another ETag than one that is exactly so long', async () => {
  const etags = await Promise.all(
    [undefined, false, true].map(async (isCapped) => {
      const count = isCapped === undefined ? {} : { total: '10000', isCapped };
      const make = async () => ({ json: '[{"id":1}]', ...count });
      return (await api.app.answers.make('everyone', '/', { topics: [], compress: false, make })).etag;
    }),
  );
  expect(new Set(etags).size).toBe(3);
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
