import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { FastifyError } from 'fastify';
import { expect, test } from 'vitest';
import { asFailure } from './failures.ts';

const codeOf = (cause: unknown) => asFailure(new Error('Failed query: select 1', { cause }) as FastifyError).code;

/** What Node says of a write into a connection that the other side has ended, or that we have given up. */
async function failWriting(how: 'ended' | 'given up'): Promise<Error> {
  const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  // Before the socket closes by itself.
  const failed = once(socket.resume(), 'end').then(
    () =>
      new Promise<Error>((resolve) => {
        if (how === 'given up') socket.destroy();
        socket.write('Q', (error) => resolve(error as Error));
      }),
  );
  return failed.finally(() => server.close());
}

test.each(['ended', 'given up'] as const)('a database whose connection is %s is told as busy', async (how) => {
  expect(codeOf(await failWriting(how))).toBe('BUSY');
});

test('what nobody knows is our fault', () => {
  expect(codeOf(new Error('x'))).toBe('INTERNAL');
  expect(codeOf(undefined)).toBe('INTERNAL');
});
