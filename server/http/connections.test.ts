import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { httpLimits } from '#server/process/limits.ts';
import { eventually } from '#server/testing/eventually.ts';
import { serverWith } from './connections.ts';

let server: Server;
let port: number;
/** The paths that were answered, in order; and how each is. */
const answered: string[] = [];
let write: (response: ServerResponse) => void;
beforeAll(async () => {
  server = serverWith((request, response) => {
    answered.push(request.url ?? '');
    write(response);
    return true;
  }, new AbortController().signal)(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as net.AddressInfo).port;
});
afterAll(() => void server.close().closeAllConnections());
beforeEach(() => {
  answered.length = 0;
  write = (response) => response.end('x');
});

const asked = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const manyOf = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);
async function connect() {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  await once(socket.pause(), 'connect');
  return socket;
}
/** Somebody else asks, and is answered. */
async function askBeside(): Promise<void> {
  const other = await connect();
  other.resume().write(asked('/other'));
  await once(other, 'data');
  other.destroy();
}

test('requests that come at once on a connection are answered in order, each in a turn of the event loop of its own', async () => {
  let inThisTurn = 0;
  const perTurn: number[] = [];
  write = (response) => {
    inThisTurn += 1;
    perTurn.push(inThisTurn);
    setImmediate(() => {
      inThisTurn = 0;
    });
    response.end('x');
  };
  const socket = await connect();
  const paths = manyOf(httpLimits.requestsWaiting);
  socket.resume().write(paths.map(asked).join(''));
  await eventually(() => expect(answered).toHaveLength(paths.length));
  expect(answered).toEqual(paths);
  expect(Math.max(...perTurn)).toBe(1);
  socket.destroy();
});

test('who reads nothing is written no more than their connection takes, and gets all of it once they read', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  write = (response) => response.end(megabyte);
  const socket = await connect();
  const paths = manyOf(httpLimits.requestsWaiting);
  socket.write(paths.map(asked).join(''));
  const theirs = () => answered.filter((path) => path !== '/other').length;
  // Others are answered meanwhile; at last nothing of theirs is any more.
  for (let before = -1; before !== theirs(); ) {
    before = theirs();
    for (let other = 0; other < 10; other += 1) await askBeside();
  }
  expect(theirs()).toBeGreaterThan(0);
  expect(theirs()).toBeLessThan(paths.length);
  socket.resume();
  await eventually(() => expect(theirs()).toBe(paths.length));
  expect(answered.filter((path) => path !== '/other')).toEqual(paths);
  socket.destroy();
});

test('a connection on which too many wait is closed, and what waited there is not answered', async () => {
  const socket = await connect();
  socket.resume().write(
    manyOf(httpLimits.requestsWaiting + 2)
      .map(asked)
      .join(''),
  );
  await once(socket, 'close');
  await turn();
  expect(answered).toEqual(['/0']);
  await askBeside();
});

test('and the rest of what it sent at once is not even read', async () => {
  let read = 0;
  const count = () => {
    read += 1;
  };
  server.on('request', count);
  const socket = await connect();
  socket.resume().write(manyOf(1_000).map(asked).join(''));
  await once(socket, 'close');
  server.off('request', count);
  expect(read).toBe(httpLimits.requestsWaiting + 2);
});
