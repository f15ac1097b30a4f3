import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';

/** What node's parser refuses a connection for, as refusals of ours; everything else is a request that cannot be read. */
const refusals: Record<string, Failure> = {
  HPE_HEADER_OVERFLOW: new Failure('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Failure('TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('TOO_SLOW'),
};
const unreadable = new Failure('INVALID', { message: failureSentences.unreadableRequest });

/**
 * Answers what never becomes a request of Fastify's, and meets none of its hooks: paths that are no text, and what the
 * parser refuses. They have the others' shape and `headers`, and their limit by address, which `take` counts.
 */
export function protocolErrors(
  headers: Record<string, string>,
  take: (address: string) => boolean,
): Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'> {
  function answerTo({ remoteAddress }: Socket, failure: Failure) {
    const told = !remoteAddress || take(remoteAddress) ? failure : new Failure('TOO_MANY');
    const body = JSON.stringify({ ...told.details, message: told.message, code: told.code });
    const own = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    };
    return { status: told.status, body, headers: { ...headers, ...own } };
  }

  return {
    frameworkErrors(_error, request, reply) {
      const response: ServerResponse = reply.raw;
      const answer = answerTo(request.raw.socket, unreadable);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    },
    clientErrorHandler(error, socket: Socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
      // An answer that was begun cannot be separated from bytes that follow it.
      if (socket.bytesWritten > 0 && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return socket.destroySoon();
      const { status, body, headers: all } = answerTo(socket, refusals[error.code ?? ''] ?? unreadable);
      const lines = Object.entries({ ...all, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
      socket.end([`HTTP/1.1 ${status} Refused`, ...lines, '', body].join('\r\n'));
    },
  };
}
