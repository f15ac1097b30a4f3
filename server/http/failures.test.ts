import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import Fastify, { type FastifyError } from 'fastify';
import { expect, test } from 'vitest';
import { Failure } from '#contract/failure.ts';
import { answerFailure, asFailure } from './failures.ts';

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

test('a database whose name nobody knows for now is told as busy', async () => {
  const [error] = (await once(net.connect({ host: 'nowhere.invalid', port: 5432 }), 'error')) as [Error];
  expect(codeOf(error)).toBe('BUSY');
});

test('a refusal that is meant is logged as such, whatever its status; trouble as an error', async () => {
  const lines: { level: number; msg: string; code?: string }[] = [];
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
  });
  app.setErrorHandler(answerFailure);
  const errors: Record<string, Error> = {
    busy: new Failure('EXPORT_BUSY'),
    paused: new Failure('SMS_PAUSED'),
    database: new Error('Connection terminated'),
    unknown: new Error('x'),
  };
  app.get<{ Params: { name: string } }>('/:name', async ({ params }) => {
    throw errors[params.name];
  });
  const told = async (name: string) => {
    lines.length = 0;
    const { statusCode } = await app.inject(`/${name}`);
    return [statusCode, ...lines.filter(({ msg }) => /failed|refused/.test(msg)).map(({ level }) => level)];
  };
  expect(await told('busy')).toEqual([503, 30]);
  expect(await told('paused')).toEqual([503, 30]);
  expect(await told('database')).toEqual([503, 50]);
  expect(await told('unknown')).toEqual([500, 50]);
  await app.close();
});

test('what nobody knows is our fault', () => {
  expect(codeOf(new Error('x'))).toBe('INTERNAL');
  expect(codeOf(undefined)).toBe('INTERNAL');
});
