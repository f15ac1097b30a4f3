import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildAdmin, buildCaller } from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let user: TestClient;
let administrator: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  ({ client: user } = await buildCaller(api));
  ({ client: administrator } = await buildAdmin(api));
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => api.close());

/** Sends the path as it is written, over a real connection: nothing resolves its dots or letters on the way. */
function sendRaw(client: TestClient, path: string, method = 'GET', headers: Record<string, string> = {}) {
  const { port } = api.app.server.address() as AddressInfo;
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { cookie, ...headers } }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: String(response.headers['content-type']), body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** The calls that P21.6 keeps as they are. */
const stableCalls = `
POST /api/auth/signup
POST /api/auth/signin
POST /api/auth/guest
POST /api/auth/verify-otp
POST /api/auth/resend-otp
POST /api/auth/forgot-password
POST /api/auth/verify-reset-otp
POST /api/auth/resend-reset-otp
POST /api/auth/reset-password
POST /api/init-data
GET /api/services
GET /api/payment-types
GET /api/commission/:serviceId
POST /api/tickets
GET /api/tickets/user/:userId
GET /api/notifications/user/:userId
GET /api/notifications/user/:userId/unread-count
GET /api/notifications/:id
PATCH /api/notifications/:id/read
GET /api/content-pages/:slug
GET /api/admin/background-settings
POST /api/admin/background-settings
POST /api/admin/upload-background
GET /api/admin/users
PATCH /api/admin/users/:id/reset-password
PATCH /api/admin/users/:id/deactivate
PATCH /api/admin/users/:id/activate
DELETE /api/admin/users/:id
GET /api/admin/tickets
GET /api/admin/services
PATCH /api/tickets/:id/status
POST /api/services
PUT /api/admin/services/:id
DELETE /api/admin/services/:id
POST /api/admin/payment-types
PUT /api/admin/payment-types/:id
DELETE /api/admin/payment-types/:id
GET /api/admin/content-pages
POST /api/admin/content-pages
PUT /api/admin/content-pages/:id
DELETE /api/admin/content-pages/:id
`
  .trim()
  .split('\n');

describe('what is served', () => {
  test('every endpoint of the contract is registered', () => {
    expect(endpoints.length).toBeGreaterThanOrEqual(stableCalls.length);
    const missing = endpoints.filter(({ method, path }) => !api.app.hasRoute({ method, url: path }));
    expect(missing.map((each) => each.path)).toEqual([]);
  });
});

describe('tricks with paths', () => {
  const tricks = [
    '/API/admin/users',
    '/api/ADMIN/users',
    '/Api/Admin/Users',
    '/api//admin/users',
    '/api/admin//users',
    '/api/admin/users/',
    '/api/admin/users//',
    '/api/admin/users;x=1',
    '/api/admin/..;/admin/users',
    '/api/./admin/users',
    '/api/services/../admin/users',
    '/api/services/%2e%2e/admin/users',
    '/api/%2e/admin/users',
    '/api/admin%2fusers',
    '/api/admin%252fusers',
    '/api/%61dmin/users',
    '/api/admin/users%2e',
    '/api/admin/users%20',
    '/api/admin/users%3fx=1',
    '/api/admin/users?x=1#y',
    '/api/admin/users.json',
    '/api/admin/users/.',
  ];

  test.each(tricks)('%s opens nothing to a stranger or a user', async (path) => {
    for (const client of [api.client(), user]) {
      for (const method of ['GET', 'HEAD', 'DELETE', 'POST'])
        expect([401, 403, 404], `${method} by ${client === user ? 'a user' : 'a stranger'}`).toContain(
          (await sendRaw(client, path, method)).status,
        );
    }
  });

  test.each([
    '//api/admin/users',
    '/api\\admin\\users',
    '/./api/admin/users',
    '/uploads/../api/admin/users',
    '/x/..;/api/admin/users',
  ])('%s shows a user nothing of the API', async (path) => {
    const { status, type, body } = await sendRaw(user, path);
    // Where the web app is built, a path that is nobody's answers its page.
    if (status === 200) expect(type).toContain('text/html');
    else expect([403, 404]).toContain(status);
    expect(body).not.toContain('"phone"');
  });

  test('a method that a path does not have is 404, as is an unknown path of the API, in JSON', async () => {
    for (const [method, path] of [
      ['POST', '/api/admin/users'],
      ['DELETE', '/api/services'],
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['PUT', '/'],
      ['TRACE', '/api/services'],
    ] as const) {
      const { status, type, body } = await sendRaw(administrator, path, method);
      expect({ path, status, type }).toEqual({ path, status: 404, type: 'application/json; charset=utf-8' });
      expect(JSON.parse(body)).toEqual({ message: 'Introuvable.', code: 'NOT_FOUND' });
    }
  });

  test.each(['/api/content-pages/%zz', '/api/services/%', '/uploads/%c3%28'])(
    '%s, which is no URL, is refused in French like any other input',
    async (path) => {
      const { status, body } = await sendRaw(api.client(), path);
      expect(status).toBe(400);
      expect(JSON.parse(body)).toEqual({ message: 'La requête est illisible.', code: 'INVALID' });
    },
  );

  test.each(['0', '-1', '1.5', 'abc', '2147483648', '99999999999999999999', '1;drop', "1'", '%00', 'é'])(
    'the id %s is refused before anything is looked up',
    async (id) => {
      for (const path of [`/api/tickets/user/${id}`, `/api/notifications/${id}`, `/api/services?parentId=${id}`]) {
        const answer = await administrator.get(encodeURI(path).replaceAll('%25', '%'));
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID' } });
      }
    },
  );
});
