import { once } from 'node:events';
import type { Server } from 'node:http';
import net from 'node:net';
import { promisify } from 'node:util';
import Fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { statementBytes } from '#contract/payment-feed.ts';
import { eventually } from '#server/testing/eventually.ts';
import { connectionsAllowed, createServer, requestOptions, serverWith } from './connections.ts';
import { answerFailure } from './failures.ts';
import { httpLimits } from './limits.ts';
import { protocolErrors } from './protocol-errors.ts';

const portOf = (server: Server) => (server.address() as net.AddressInfo).port;
const countOf = (server: Server) => promisify(server.getConnections.bind(server))();
const asked = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

async function connect(server: Server, from = '127.0.0.1') {
  const options = { port: portOf(server), host: '127.0.0.1', localAddress: from };
  // With `allowHalfOpen` the other end's FIN is ignored.
  const socket = net.connect({ ...options, allowHalfOpen: true }).on('error', () => {});
  await once(socket, 'connect');
  return socket.setEncoding('utf8');
}

/** A request of this address is answered. */
async function ask(server: Server, from?: string): Promise<void> {
  const socket = await connect(server, from);
  socket.write(asked('/other'));
  const answer = await new Promise((resolve) =>
    socket.once('data', resolve).once('end', resolve).once('close', resolve),
  );
  socket.destroy();
  expect(answer).toMatch(/^HTTP/);
}

describe('requests that are sent ahead', () => {
  const open = async (answered: string[], bytes = 1) => {
    const server = serverWith((request, response) => {
      answered.push(request.url ?? '');
      response.end('x'.repeat(bytes));
      return '/:name';
    }, new AbortController().signal)(() => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  };
  const manyOf = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);

  test('are answered in order, up to the limit; and so are those after them', async () => {
    const answered: string[] = [];
    const server = await open(answered);
    const socket = await connect(server);
    const paths = manyOf(httpLimits.requestsWaiting + 1);
    for (const round of [1, 2, 3]) {
      socket.resume().write(paths.map(asked).join(''));
      await eventually(() => expect(answered).toHaveLength(round * paths.length));
    }
    expect(answered.slice(0, paths.length)).toEqual(paths);
    server.close().closeAllConnections();
  });

  test.each([
    ['one too many', httpLimits.requestsWaiting + 2, 1],
    ['a thousand whose sender reads nothing', 1_000, 1024 * 1024],
  ])('are not answered beyond it, %s: the connection is destroyed, and others are served', async (_, count, bytes) => {
    const answered: string[] = [];
    const server = await open(answered, bytes);
    const socket = await connect(server);
    if (bytes === 1) socket.resume();
    socket.write(manyOf(count).map(asked).join(''));
    await eventually(async () => expect(await countOf(server)).toBe(0));
    expect(answered.length).toBeLessThanOrEqual(httpLimits.requestsWaiting + 1);
    await ask(server);
    server.close().closeAllConnections();
  });
});

describe('many connections of one address', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  async function open(options: Parameters<typeof createServer>[0]) {
    const server = createServer(options).on('request', (_request, response) => response.end('x'));
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  test.each([2, 28])(
    'of %d half are its own; the others stay for others, and return when it leaves',
    async (connections) => {
      const server = await open({ connections });
      const sockets = await Promise.all(Array.from({ length: connections + 3 }, () => connect(server)));
      await eventually(async () => expect(await countOf(server)).toBe(connections / 2));
      await ask(server, '127.0.0.2');
      for (const socket of sockets) socket.destroy();
      await eventually(() => ask(server));
    },
  );

  test('a trusted proxy may have all', async () => {
    const server = await open({ connections: 4, trusted: ['127.0.0.0/8'] });
    await Promise.all(Array.from({ length: 4 }, () => connect(server)));
    await eventually(async () => expect(await countOf(server)).toBe(4));
  });
});

test('the largest file has the time that it takes at 256 kb/s, and the clocks around it are longer', () => {
  expect(httpLimits.requestMs).toBeGreaterThan(((statementBytes * 8) / 256_000) * 1_000);
  expect(httpLimits.uploadHandlerMs).toBeGreaterThan(httpLimits.requestMs);
});

describe('what arrives too slowly', () => {
  const times = { requestMs: 400, headersMs: 200, keepAliveMs: 65_000, lateCheckMs: 50 };
  /** Where the product has `createServer()`'s own times. */
  const openApp = async (handlerTimeout = 60_000) => {
    const server = createServer({ times });
    const app = Fastify({
      ...requestOptions,
      handlerTimeout,
      ...protocolErrors({ 'x-shared': 'yes' }, { refusalMs: 100 }),
      serverFactory: (handle) => server.on('request', handle),
    });
    app.setErrorHandler(answerFailure);
    app.post('/', async () => 'x');
    app.get('/', async () => 'x');
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app;
  };
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nhost: x\r\n', 'x: y\r\n', 60_000],
    ['headers behind an answer', `${asked('/')}GET / HTTP/1.1\r\n`, 'x: y\r\n', 60_000],
    ['a body in chunks', `${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n', 60_000],
    ["a body that outlasts a call's own time", `${head}content-length: 200000\r\n\r\n{`, ' ', 100],
  ])(
    '%s, is a 408, and the connection is destroyed though its other end goes on',
    async (_, begun, drop, handlerTimeout) => {
      const app = await openApp(handlerTimeout);
      const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(app.server)));
      const heard = sockets.map((socket) => {
        const said = { text: '' };
        socket.on('data', (chunk: string) => {
          said.text += chunk;
        });
        socket.write(begun);
        return said;
      });
      const dripping = setInterval(() => {
        for (const socket of sockets) if (drop && !socket.destroyed) socket.write(drop);
      }, 20);
      await eventually(async () => expect(await countOf(app.server)).toBe(0));
      clearInterval(dripping);
      for (const { text } of heard) {
        const refusal = text.slice(text.indexOf('HTTP/1.1 408 '));
        expect(refusal).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\nconnection: close\r\n[\s\S]*"code":"TOO_SLOW"/i);
      }
      await ask(app.server);
      for (const socket of sockets) socket.destroy();
      await app.close();
    },
  );
});

test.each([
  [112, 20],
  [1_024, 476],
  [20_072, 10_000],
  [Number.POSITIVE_INFINITY, 10_000],
])('a process of %d open files has %d connections', (files, connections) => {
  expect(connectionsAllowed(files)).toBe(connections);
});

test.each([111, 10])('%d open files are too few, in one sentence', (files) => {
  expect(() => connectionsAllowed(files)).toThrow(
    new RegExp(
      `^Ce processus ne peut ouvrir que ${files} fichiers à la fois.* au moins 112 : [^\\n]*\\(ulimit -n.*\\)\\.$`,
    ),
  );
});
