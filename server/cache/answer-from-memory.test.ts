import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { buildCaller, buildTicket } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi } from '#server/testing/test-api.ts';
import { whileLocked } from '#server/testing/while-locked.ts';

const api = await startTestApi({ rateLimits: 'on' });
const { user, client } = await buildCaller(api);
await buildTicket(api.db, user.id);
await buildTicket(api.db, user.id);
// Else its news would drop what is kept of the first answers.
await api.app.changeFeed.catchUp();
await api.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = api.app.server.address() as net.AddressInfo;
const cookie = `guichet_session=${client.cookies.get('guichet_session')}`;
const url = `/api/tickets/user/${user.id}`;

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

test("an idle poll's answer takes at most 300 bytes, and leaves the connection open", async () => {
  const socket = open();
  const lines = [`cookie: ${cookie}`, `if-none-match: ${await readEtag(socket)}`];
  await eventually(async () => {
    const answer = await ask(socket, lines);
    expect(statusIn(answer)).toBe(304);
    // Fastify's own has the flood limit's headers too: it answers where the feed was not looked at in time.
    expect(answer.length).toBeLessThanOrEqual(300);
  });
  socket.destroy();
});

test.each([
  ['without a cookie', [], {}, 401],
  ['with another cookie of that end', ['cookie: my_guichet_session=VALUE'], {}, 401],
  ['with a value in which it stands', ['cookie: x=1 guichet_session=VALUE'], {}, 401],
  ['with the cookie of a later twin', ['cookie: guichet_session=other; guichet_session=VALUE'], {}, 401],
  ['to write', ['cookie: guichet_session=VALUE'], { method: 'DELETE' }, 404],
  ['from another site', ['cookie: guichet_session=VALUE', 'sec-fetch-site: same-site'], {}, 403],
  ['from another origin', ['cookie: guichet_session=VALUE', 'origin: https://pirate.example'], {}, 403],
  ['below another path', ['cookie: guichet_session=VALUE'], { path: '/ip/tickets' }, 200],
])('what is asked %s is left to Fastify', async (_, lines, asked, status) => {
  const socket = open();
  const etag = await readEtag(socket);
  const sent = [`if-none-match: ${etag}`, ...lines.map((line) => line.replace('VALUE', cookie.split('=')[1] ?? ''))];
  expect(statusIn(await ask(socket, sent, asked))).toBe(status);
  socket.destroy();
});

test('an address that was answered too often from memory is left to Fastify, whose limiter counts and refuses it', async () => {
  const few = await startTestApi({ rateLimits: 'on', answersPerPeriod: 3, trustProxy: ['127.0.0.1'] });
  const askFrom = (forwarded: string) =>
    request(few.app, { url: '/api/payment-types', headers: { 'x-forwarded-for': forwarded } });
  const isCounted = async (forwarded: string) => 'x-ratelimit-limit' in (await askFrom(forwarded)).headers;
  await eventually(async () => expect(await isCounted('198.51.100.1')).toBe(false));
  const mine = [];
  for (let turn = 0; turn < 4; turn += 1) mine.push(await isCounted(`2001:db8::${turn}`));
  expect(mine).toEqual([false, false, false, true]);
  expect(await isCounted('2001:db8:0:1::1')).toBe(false);
  const remaining = async (forwarded: string) => Number((await askFrom(forwarded)).headers['x-ratelimit-remaining']);
  expect(await remaining('2001:db8::5')).toBe((await remaining('2001:db8::6')) + 1);
});

test('an answer that is known is sent whole from memory, with what tells of it', async () => {
  const socket = open();
  const lines = [`cookie: ${cookie}`, 'accept-encoding: gzip'];
  const answer = await eventually(async () => {
    await ask(socket, lines);
    // What comes in between, late news or a slow look, sends the question to the locked tables.
    const again = await whileLocked(api.config, () => ask(socket, lines));
    expect(statusIn(again)).toBe(200);
    return again;
  });
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
