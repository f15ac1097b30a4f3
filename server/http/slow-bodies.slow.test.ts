import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildAdmin, buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let port: number;
let admin: TestClient;
let user: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  port = await listen(api);
  admin = (await buildAdmin(api)).client;
  user = (await buildCaller(api)).client;
});
afterAll(() => api.close());

const listen = async ({ app }: TestApi) => Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
const form = 'multipart/form-data; boundary=x';
const cookiesOf = ({ cookies }: TestClient) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Opens a request whose body of 5 MB is announced, and begins it. */
function begin(path: string, { by, type = 'application/json' }: { by?: TestClient; type?: string } = {}): net.Socket {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  const cookie = by ? `cookie: ${cookiesOf(by)}\r\n` : '';
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${cookie}content-type: ${type}\r\ncontent-length: 200000\r\n\r\n{`);
  return socket;
}
const statusIn = (text: string) => Number(text.split(' ')[1]);

/** A path, and a header after it. */
const ofAnotherSite = '/api/auth/signin\x20HTTP/1.1\r\nsec-fetch-site: cross-site\r\nx:';

describe('a body that nobody will look at is not waited for', () => {
  test.each<[string, number, () => net.Socket]>([
    ['on a path that is nowhere', 404, () => begin('/api/rien')],
    ['on a page', 404, () => begin('/nulle-part')],
    ['of somebody signed out', 401, () => begin('/api/admin/upload-background', { type: form })],
    ['of somebody who may not', 403, () => begin('/api/admin/upload-background', { type: form, by: user })],
    ['of another site', 403, () => begin(ofAnotherSite)],
  ])('%s', async (_, status, open) => {
    const socket = open();
    const [answer] = (await once(socket, 'data')) as [string];
    expect(statusIn(answer)).toBe(status);
    socket.destroy();
  });
});

test('a body that trickles, and one that goes on after its answer, end their connections', async () => {
  const trickling = [
    begin('/api/auth/signin'),
    begin('/api/admin/upload-background', { type: form, by: admin }),
    begin('/api/rien'),
    begin(ofAnotherSite),
  ];
  const ends = trickling.map(async (socket) => {
    let heard = '';
    socket.on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.on('error', () => {});
    const drop = setInterval(() => socket.writable && socket.write(' '), 50);
    // What still arrives when the server has let go is answered by a reset.
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(drop);
    return statusIn(heard);
  });
  expect(await Promise.all(ends)).toEqual([408, 408, 404, 403]);
});

test('a body that comes, however large, is read', async () => {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  const body = JSON.stringify({ phoneOrEmail: '70112233', password: 'x'.repeat(100) }) + ' '.repeat(150_000);
  socket.write(
    `POST /api/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  for (let at = 0; at < body.length; at += 50_000) socket.write(body.slice(at, at + 50_000));
  const [answer] = (await once(socket, 'data')) as [string];
  expect(statusIn(answer)).toBe(401);
  socket.destroy();
});
