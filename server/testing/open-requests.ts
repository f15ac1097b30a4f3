import { once } from 'node:events';
import net from 'node:net';
import { eventually } from './eventually.ts';

/** Writes this, and answers what came back as soon as it has such a part. `finish` writes the rest, and answers all that came then. */
async function begin(port: number, text: string, part: RegExp) {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.write(text);
  const found = await eventually(() => {
    const match = part.exec(received);
    if (!match) throw new Error(`not answered yet: ${received}`);
    return match;
  });
  return {
    first: received,
    found,
    async finish(rest: string) {
      received = '';
      socket.write(rest);
      await once(socket, 'close');
      return received;
    },
  };
}

/** A sign-in whose body is still to come, known to be under way: the server itself asks for the body, by '100 Continue'. */
export async function beginSignIn(port: number, administrator: object): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify(administrator);
  const head = [
    'POST /api/auth/signin HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
    '\r\n',
  ].join('\r\n');
  const { finish } = await begin(port, head, /100 Continue/);
  return { finish: () => finish(body) };
}

/**
 * A poll whose head is still to come to its end, known to be under way: its beginning came in one piece with the request
 * before it, whose answer is there. `finish` ends it, with the ETag of that answer.
 */
export async function beginPoll(port: number, url: string): Promise<{ first: string; finish(): Promise<string> }> {
  const head = `GET ${url} HTTP/1.1\r\nHost: localhost\r\n`;
  const { first, found, finish } = await begin(port, `${head}\r\n${head}`, /\r\netag: (.*)\r\n/i);
  return { first, finish: () => finish(`If-None-Match: ${found[1]}\r\n\r\n`) };
}

/** Whether something listens on the port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}
