import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { startTestApi } from '#server/testing/test-api.ts';
import { answerHeaders } from './security-headers.ts';

const api = await startTestApi({ rateLimits: 'on' });
await api.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = api.app.server.address() as net.AddressInfo;

interface Heard {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes as they are, and hears the whole connection out. */
async function send(text: string): Promise<Heard> {
  const socket = net.connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  const [head = '', ...rest] = heard.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(': ', 2) as [string, string]);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: rest.join('\r\n\r\n'),
  };
}
const get = (path: string, more = '') => send(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`);

const security = ['content-security-policy', 'x-content-type-options'];

describe('what is no request of any handler is refused in the same shape, in French, under the same headers', () => {
  const early: [name: string, ask: () => Promise<Heard>, status: number, code: string, message: RegExp][] = [
    ['a path that is no text', () => get('/%zz'), 400, 'INVALID', /illisible/],
    ['a path of the API that is no text', () => get('/api/%E0%A4%A'), 400, 'INVALID', /illisible/],
    ['no HTTP', () => send('BONJOUR\r\n\r\n'), 400, 'INVALID', /illisible/],
    ['a header without a name', () => get('/', ': x\r\n'), 400, 'INVALID', /illisible/],
    ['two lengths', () => get('/', 'content-length: 1\r\ncontent-length: 2\r\n'), 400, 'INVALID', /illisible/],
    ['headers of 20 kB', () => get('/', `x-long: ${'x'.repeat(20_000)}\r\n`), 431, 'HEADERS_TOO_LARGE', /en-têtes/],
    ['a path of the API that is nowhere', () => get('/api/rien'), 404, 'NOT_FOUND', /Introuvable/],
    ['an image that is nowhere', () => get('/uploads/rien.webp'), 404, 'NOT_FOUND', /Introuvable/],
  ];
  test.each(early)('%s', async (name, ask, status, code, message) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(answer.headers['content-type']).toContain('application/json');
    const usual = await get(name.startsWith('an image') ? '/nulle-part' : '/api/health/live');
    for (const each of security) expect(answer.headers[each], each).toBe(usual.headers[each]);
    expect(answer.headers['content-length'] ?? answer.headers['transfer-encoding']).toBeDefined();
  });

  test('they say nothing that belongs to one answer alone', async () => {
    const shared = { ...answerHeaders({ https: false }), 'content-type': 'application/json; charset=utf-8' };
    const own = ['connection', 'content-length', 'date'];
    for (const answer of [await get('/%zz'), await get('/%zz'), await send('BONJOUR\r\n\r\n')]) {
      expect(answer.headers).toMatchObject(shared);
      expect(Object.keys(answer.headers).filter((name) => !(name in shared || own.includes(name)))).toEqual([]);
    }
  });
});

test('an answer of the API is kept by nobody, however its path is written', async () => {
  for (const path of ['/api/auth/me', '/%61pi/auth/me', '/ap%69/rien', '/%41PI/rien', '/api/health/live']) {
    const { headers, status } = await get(path);
    expect(status, path).not.toBe(400);
    expect(headers['cache-control'], path).toBe('no-store');
  }
});
