import { describe, expect, test } from 'vitest';
import { databaseLimits } from '#server/database/limits.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildUser, knownPassword } from '#server/testing/builders.ts';
import { startTestApi, type TestResponse } from '#server/testing/test-api.ts';
import { whileHeld } from '#server/testing/while-locked.ts';

const api = await startTestApi({ lockMs: databaseLimits.lockMs });
const admin = await buildAdmin(api);

const host = 'guichet.local:3000';
const countTypes = () => countRows(api, 'payment_types');

/** A failure body, and nothing in it of how the server is made. */
function expectFailure(answer: TestResponse, status: number, code: string): void {
  expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
  expect(String(answer.headers['content-type'])).toContain('application/json');
  const known = ['code', 'message', 'issues', 'retryAfter', 'requestId', 'phone'];
  expect(Object.keys(answer.body).filter((key) => !known.includes(key))).toEqual([]);
  expect(JSON.stringify(answer.body)).not.toMatch(
    /\bat .+:\d+:\d+|node_modules|\.ts\b|FST_|select |insert |drizzle|SyntaxError|relation|stack/i,
  );
}

describe('a call that another site makes a browser send is refused, and does nothing', () => {
  const foreign: [string, Record<string, string>][] = [
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'elsewhere' }],
    ['cross-site with our own Origin', { 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
    ['Origin of another host', { origin: 'https://pirate.example' }],
    ['Origin of a subdomain', { origin: `http://sub.${host}` }],
    ['Origin of another port', { origin: 'http://guichet.local:4000' }],
    ['Origin of another scheme', { origin: `https://${host}` }],
    ['Origin: null', { origin: 'null' }],
    ['an empty Origin', { origin: '' }],
  ];
  test.each(foreign)('%s', async (_, headers) => {
    const before = await countTypes();
    const post = await admin.client.post('/api/admin/payment-types', { name: 'Pirate' }, { host, ...headers });
    expectFailure(post, 403, 'CROSS_SITE');
    expect(post.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(await countTypes()).toBe(before);
    const audited = () => countRows(api, 'audit_log');
    const lines = await audited();
    for (const url of ['/api/admin/ticket-export', '/api/admin/payments/messages', '/api/services'])
      expectFailure(await admin.client.get(url, { host, ...headers }), 403, 'CROSS_SITE');
    expect(await audited()).toBe(lines);
    const { id } = await buildUser(api.db);
    expectFailure(await admin.client.delete(`/api/admin/users/${id}`, { host, ...headers }), 403, 'CROSS_SITE');
    expectFailure(
      await admin.client.patch(`/api/admin/users/${id}/deactivate`, undefined, { host, ...headers }),
      403,
      'CROSS_SITE',
    );
    expectFailure(
      await admin.client.put('/api/admin/payment-types/1', { isActive: false }, { host, ...headers }),
      403,
      'CROSS_SITE',
    );
    expect((await api.pool.query('select is_verified from users where id = $1', [id])).rows).toEqual([
      { is_verified: true },
    ]);
  });

  test("also a sign-in, which would put a stranger's account into the browser", async () => {
    const { phone } = await buildUser(api.db);
    const answer = await api
      .client()
      .post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword }, { 'sec-fetch-site': 'cross-site' });
    expectFailure(answer, 403, 'CROSS_SITE');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an old browser on our page', { origin: `http://${host}` }],
    ['no browser', {}],
  ])('and one of %s is served', async (name, headers) => {
    await admin.client.post('/api/admin/payment-types', { name }, { host, ...headers });
    const { body } = await admin.client.get('/api/payment-types', { host, ...headers });
    expect(body).toContainEqual(expect.objectContaining({ name }));
  });

  test('behind a proxy our own Origin is that of PUBLIC_URL', async () => {
    const site = await startTestApi({ publicUrl: 'https://guichet.example/' });
    const guest = (origin: string) => site.client().post('/api/auth/guest', undefined, { host, origin });
    expect((await guest('https://guichet.example')).headers['set-cookie']).toBeDefined();
    expectFailure(await guest('https://guichet.example.pirate.io'), 403, 'CROSS_SITE');
    expectFailure(await guest('http://guichet.example'), 403, 'CROSS_SITE');
    expectFailure(await guest(`http://${host}`), 403, 'CROSS_SITE');
  });
});

describe('a body is JSON, or a form where a file is expected', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'text/plain;application/json'])(
    '%s is 415, and does nothing',
    async (type) => {
      const before = await countTypes();
      const body = JSON.stringify({ name: 'Pirate' });
      const answer = await admin.client.send('POST', '/api/admin/payment-types', body, { 'content-type': type });
      expectFailure(answer, 415, 'MEDIA_TYPE');
      expect(await countTypes()).toBe(before);
    },
  );

  test.each([
    ['text', '{"name": "Pir'],
    ['no JSON', 'name=Pirate'],
    ['nothing', ''],
    ['a lone surrogate', '{"name":"\\ud800'],
    ['a prototype', '{"__proto__":{"isAdmin":true},"name":"Pirate"}'],
  ])('broken JSON (%s) is 400', async (_, body) => {
    const before = await countTypes();
    const headers = { 'content-type': 'application/json' };
    expectFailure(await admin.client.send('POST', '/api/admin/payment-types', body, headers), 400, 'INVALID');
    expect(await countTypes()).toBe(before);
  });

  test('over 256 KB is 413', async () => {
    const answer = await api.client().post('/api/auth/signin', { phoneOrEmail: 'x'.repeat(300_000), password: 'x' });
    expectFailure(answer, 413, 'TOO_LARGE');
  });

  test('of 100 000 levels is refused', async () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answer = await api.client().send('POST', '/api/auth/signin', body, { 'content-type': 'application/json' });
    expectFailure(answer, 400, 'INVALID');
  });
});

describe('every answer of the API', () => {
  test('is kept out of shared caches, is never sniffed, and runs nothing', async () => {
    for (const answer of [await admin.client.get('/api/auth/me'), await api.client().get('/api/nothing')]) {
      expect(answer.headers['cache-control']).toMatch(/no-store|private/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(answer.headers['x-powered-by']).toBeUndefined();
    }
  });

  test('to a failing database is 503 with a time to come back, or 500 with an id, and tells nothing', async () => {
    const broken = await startTestApi();
    const { client, user } = await buildCaller(broken);
    await broken.pool.query('alter table users rename to people');
    const answer = await client.get('/api/auth/me');
    expectFailure(answer, 500, 'INTERNAL');
    expect(answer.body).toMatchObject({ message: 'Erreur interne', requestId: expect.stringMatching(/./) });
    await broken.pool.query('alter table people rename to users');
    expect(await client.get('/api/auth/me')).toMatchObject({ status: 200, body: { user: { id: user.id } } });
  });

  test('to a lock that is held is 503 with a time to come back', async () => {
    const { client, user } = await buildCaller(api);
    await whileHeld(api.pool, `select 1 from users where id = ${user.id} for update`, async () => {
      const answer = await admin.client.patch(`/api/admin/users/${user.id}/deactivate`);
      expectFailure(answer, 503, 'BUSY');
      expect(answer.headers['retry-after']).toBe('5');
    });
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });
});
