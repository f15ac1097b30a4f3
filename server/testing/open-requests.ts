import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/**
 * A sign-in whose body is still to come, known to be under way: the server itself asks for the body, by
 * '100 Continue'. `finish` sends it and answers all that the server wrote after that.
 */
export async function beginSignIn(port: number, administrator: object): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify(administrator);
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.write(
    [
      'POST /api/auth/signin HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await eventually(() => expect(received).toContain('100 Continue'));
  return {
    async finish() {
      received = '';
      socket.write(body);
      await once(socket, 'close');
      return received;
    },
  };
}

/**
 * A poll whose head is still to come to its end, known to be under way: its beginning came in one piece with the request
 * before it, whose answer is there. `finish` ends it, with the ETag of that answer, and answers all that the server wrote then.
 */
export async function beginPoll(port: number, url: string): Promise<{ first: string; finish(): Promise<string> }> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  const head = `GET ${url} HTTP/1.1\r\nHost: localhost\r\n`;
  socket.write(`${head}\r\n${head}`);
  const etag = await eventually(() => {
    const [, found] = /\r\netag: (.*)\r\n/i.exec(received) ?? [];
    if (!found) throw new Error(`no answer yet: ${received}`);
    return found;
  });
  return {
    first: received,
    async finish() {
      received = '';
      socket.write(`If-None-Match: ${etag}\r\n\r\n`);
      await once(socket, 'close');
      return received;
    },
  };
}

/** Whether something listens on the port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}
