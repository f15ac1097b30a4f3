import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { httpLimits } from '#server/process/limits.ts';
import { addressKey } from './rate-limits.ts';

/** What node's parser refuses a connection for, as refusals of ours; everything else is a request that cannot be read. */
const refusals: Record<string, Failure> = {
  HPE_HEADER_OVERFLOW: new Failure('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Failure('TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('TOO_SLOW'),
};
const unreadable = new Failure('INVALID', { message: failureSentences.unreadableRequest });

/**
 * Answers what never becomes a request of Fastify's, and so meets none of its hooks: paths that are no text and what the HTTP
 * parser refuses. The answers have the shape, the `headers` and the limit by address of all others.
 */
export function protocolErrors({
  limited,
  headers,
}: {
  limited: boolean;
  headers: Record<string, string>;
}): Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'> {
  const perAddress = new RateLimiterMemory({
    points: httpLimits.requestsPerPeriod,
    duration: httpLimits.requestsPeriodMs / 1_000,
  });

  async function answerTo(address: string | undefined, failure: Failure) {
    const free = !limited || !address || (await consume(address));
    const told = free ? failure : new Failure('TOO_MANY');
    const body = JSON.stringify({ ...told.details, message: told.message, code: told.code });
    const own = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    };
    return { status: told.status, body, headers: { ...headers, ...own } };
  }
  const consume = (address: string) =>
    perAddress.consume(addressKey(address)).then(
      () => true,
      () => false,
    );

  return {
    frameworkErrors(_error, request, reply) {
      const response: ServerResponse = reply.raw;
      void answerTo(request.raw.socket.remoteAddress, unreadable).then(({ status, body, headers: all }) => {
        if (!response.headersSent) response.writeHead(status, all).end(body);
      });
    },
    clientErrorHandler(error, socket: Socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      // An answer that was begun cannot be separated from bytes that follow it.
      if (socket.bytesWritten > 0 && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
        socket.destroySoon();
        return;
      }
      void answerTo(socket.remoteAddress, refusals[error.code ?? ''] ?? unreadable).then((answer) => {
        if (!socket.writable) return;
        const lines = Object.entries({ ...answer.headers, connection: 'close' }).map(
          ([name, value]) => `${name}: ${value}`,
        );
        socket.end([`HTTP/1.1 ${answer.status} Refused`, ...lines, '', answer.body].join('\r\n'));
      });
    },
  };
}
