import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { httpLimits } from './limits.ts';

/** Errors of Node's parser, with the failures that answer them. Any other error is an unreadable request. */
const refusals: Record<string, Failure> = {
  HPE_HEADER_OVERFLOW: new Failure('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Failure('TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('TOO_SLOW'),
};
const unreadable = new Failure('INVALID', { message: failureSentences.unreadableRequest });

/**
 * Answers requests that never reach Fastify or its hooks: undecodable paths, and what the parser refuses, whose connections end. They get
 * the same body shape and the `shared` headers.
 */
export function protocolErrors(
  shared: Record<string, string>,
  { refusalMs } = httpLimits as { refusalMs: number },
): Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'> {
  const answerOf = ({ status, message, code }: Failure) => {
    const body = JSON.stringify({ message, code });
    const own = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    };
    return { status, body, headers: { ...shared, ...own } };
  };
  return {
    frameworkErrors(_error, _request, reply) {
      const response: ServerResponse = reply.raw;
      const { status, body, headers } = answerOf(unreadable);
      response.writeHead(status, headers).end(body);
    },
    clientErrorHandler({ code = '' }, socket: Socket) {
      if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
      setTimeout(() => socket.destroy(), refusalMs).unref();
      // A second answer after a started one would be read as part of it.
      if (socket.bytesWritten > 0 && code !== 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.end();
      const { status, body, headers } = answerOf(refusals[code] ?? unreadable);
      const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
      socket.end([`HTTP/1.1 ${status} Refused`, ...lines, '', body].join('\r\n'));
    },
  };
}
