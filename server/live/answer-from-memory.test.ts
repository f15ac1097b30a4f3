import { once } from 'node:events';
import net from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectionOptions } from '#server/http/connections.ts';
import { buildCaller, buildTicket } from '#server/testing/builders.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
let port: number;
let cookie: string;
let url: string;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
  const { user, client } = await buildCaller(api);
  await buildTicket(api.db, user.id);
  await buildTicket(api.db, user.id);
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as net.AddressInfo).port;
  cookie = `guichet_session=${client.cookies.get('guichet_session')}`;
  url = `/api/tickets/user/${user.id}`;
});
afterAll(() => api.close());

const open = () => net.connect(port, '127.0.0.1').setEncoding('latin1');
const statusIn = (answer: string) => Number(answer.split(' ')[1]);

/** Sends one request as it is written here, and answers all that comes back of it at once. */
async function ask(socket: net.Socket, lines: string[], { method = 'GET', path = url } = {}): Promise<string> {
  socket.write([`${method} ${path} HTTP/1.1`, 'host: guichet', ...lines, '', ''].join('\r\n'));
  const [answer] = (await once(socket, 'data')) as [string];
  return answer;
}

async function readEtag(socket: net.Socket): Promise<string> {
  const answer = await ask(socket, [`cookie: ${cookie}`]);
  expect(statusIn(answer)).toBe(200);
  return /\r\netag: (\S+)/.exec(answer)?.[1] ?? '';
}

test('an idle poll’s answer takes at most 300 bytes, and leaves the connection open', async () => {
  const socket = open();
  const lines = [`cookie: ${cookie}`, `if-none-match: ${await readEtag(socket)}`];
  await vi.waitFor(async () => {
    const answer = await ask(socket, lines);
    expect(statusIn(answer)).toBe(304);
    // Fastify's own has the flood limit's headers too: it answers where the feed was not looked at in time.
    expect(answer.length).toBeLessThanOrEqual(300);
  });
  socket.destroy();
});

test.each([
  ['first', (own: string) => `${own}; a=b`],
  ['last', (own: string) => `x=guichet_session=other; a=b; ${own}`],
  ['after one whose name ends alike', (own: string) => `my_guichet_session=other;${own}`],
  ['twice, of which the first counts', (own: string) => `${own}; guichet_session=other`],
])('the session’s cookie is found where it stands %s', async (_, write) => {
  const socket = open();
  const etag = await readEtag(socket);
  const answer = await ask(socket, [`cookie: ${write(cookie)}`, `if-none-match: ${etag}`]);
  expect(statusIn(answer)).toBe(304);
  socket.destroy();
});

test.each([
  ['without a cookie', [], {}, 401],
  ['with another cookie of that end', ['cookie: my_guichet_session=VALUE'], {}, 401],
  ['with a value in which it stands', ['cookie: x=1 guichet_session=VALUE'], {}, 401],
  ['with the cookie of a later twin', ['cookie: guichet_session=other; guichet_session=VALUE'], {}, 401],
  ['to write', ['cookie: guichet_session=VALUE'], { method: 'DELETE' }, 404],
  ['below another path', ['cookie: guichet_session=VALUE'], { path: '/ip/tickets' }, 200],
])('what is asked %s is left to Fastify', async (_, lines, asked, status) => {
  const socket = open();
  const etag = await readEtag(socket);
  const sent = [`if-none-match: ${etag}`, ...lines.map((line) => line.replace('VALUE', cookie.split('=')[1] ?? ''))];
  expect(statusIn(await ask(socket, sent, asked))).toBe(status);
  socket.destroy();
});

test('answers from memory do not count towards the flood limit', async () => {
  const socket = open();
  const etag = await readEtag(socket);
  const remaining = async () =>
    Number(/x-ratelimit-remaining: (\d+)/.exec(await ask(socket, [], { path: '/api/rien' }))?.[1]);
  const before = await remaining();
  for (let turn = 0; turn < 10; turn += 1)
    expect(statusIn(await ask(socket, [`cookie: ${cookie}`, `if-none-match: ${etag}`]))).toBe(304);
  expect(await remaining()).toBe(before - 1);
  socket.destroy();
});

test('an answer that is known is sent whole from memory, with what tells of it', async () => {
  const socket = open();
  const lines = [`cookie: ${cookie}`, 'accept-encoding: gzip'];
  await ask(socket, lines);
  const query = vi.spyOn(api.pool, 'query');
  const answer = await ask(socket, lines);
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
  expect(statusIn(answer)).toBe(200);
  for (const line of [
    'content-type: application/json; charset=utf-8',
    'content-encoding: gzip',
    'x-total-count: 2',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'cross-origin-resource-policy: same-origin',
  ])
    expect(answer).toContain(`\r\n${line}\r\n`);
  socket.destroy();
});

test('the server has the limits that Fastify would give one of its own', async () => {
  const { keepAliveTimeout, requestTimeout, timeout, maxRequestsPerSocket } = Fastify(connectionOptions).server;
  expect(api.app.server).toMatchObject({ keepAliveTimeout, requestTimeout, timeout, maxRequestsPerSocket });
});

test('a process that closes answers no more from memory', async () => {
  const other = await startTestApi();
  const { user, client } = await buildCaller(other);
  await other.app.listen({ port: 0, host: '127.0.0.1' });
  const path = `/api/notifications/user/${user.id}`;
  const headers = { 'if-none-match': String((await client.get(path)).headers.etag) };
  const cookies = Object.fromEntries(client.cookies);
  expect((await request(other.app, { url: path, headers, cookies })).statusCode).toBe(304);
  const closed = other.close();
  await vi.waitFor(() => expect(other.app.server.listening).toBe(false), { interval: 1 });
  expect((await request(other.app, { url: path, headers, cookies })).statusCode).toBe(503);
  await closed;
});
