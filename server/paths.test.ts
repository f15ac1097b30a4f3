import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { buildAdmin, buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: user } = await buildCaller(api);
const { client: administrator } = await buildAdmin(api);
await api.app.listen({ host: '127.0.0.1', port: 0 });

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

describe('tricks with paths', () => {
  const tricks = [
    '/API/admin/users',
    '/api//admin/users',
    '/api/admin/users/',
    '/api/admin/users;x=1',
    '/api/admin/..;/admin/users',
    '/api/./admin/users',
    '/api/services/%2e%2e/admin/users',
    '/api/admin%2fusers',
    '/api/admin%252fusers',
    '/api/%61dmin/users',
    '/api/admin/users%2e',
    '/api/admin/users%3fx=1',
    '/api/admin/users?x=1#y',
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

  test.each(['0', '-1', '1.5', '2147483648', '1;drop', '%00', 'é'])(
    'the id %s is refused before anything is looked up',
    async (id) => {
      for (const path of [`/api/tickets/user/${id}`, `/api/notifications/${id}`, `/api/services?parentId=${id}`]) {
        const answer = await administrator.get(encodeURI(path).replaceAll('%25', '%'));
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID' } });
      }
    },
  );
});
