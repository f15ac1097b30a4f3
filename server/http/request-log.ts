import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { addressesIn } from './addresses.ts';
import type { Front } from './connections.ts';
import type { Metrics } from './metrics.ts';

/** An id from a proxy: long enough, with a letter, and without characters that could forge a line of the log. */
const wellFormed = /^(?=.*[A-Za-z])[\w-]{8,64}$/;

/**
 * Gives each request its id for the log: the X-Request-Id of a trusted proxy, else a new one. New ids begin with letters of
 * this process, since processes share their log. They never look like a phone number, which the log masks.
 */
export function requestIds(trusted: readonly string[] | undefined): (request: IncomingMessage) => string {
  const prefix = Array.from({ length: 8 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  const isTrusted = trusted && addressesIn(trusted);
  let count = 0;
  return ({ headers, socket }) => {
    if (isTrusted?.(socket.remoteAddress)) {
      const given = headers['x-request-id'];
      if (typeof given === 'string' && wellFormed.test(given)) return given;
    }
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** At `info` one line a request, when it is answered; what goes wrong is logged at its own level, as ever. */
export class OneLineARequest extends LogController {
  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method } = request;
    const line = lineOf({ method, route: routeOf(request, reply.statusCode) }, reply.statusCode, reply.elapsedTime);
    // A proxy's look each second would be most of the log.
    if (!error && request.routeOptions.url?.startsWith('/api/health/')) return;
    if (error) reply.log.error({ ...line, err: error }, 'answer broke off');
    else reply.log.info(line, 'request');
  }
}

/** Logs answers given in front of Fastify as others are, and tells their ids, where the level has such lines. */
export function logged(front: Front, log: FastifyBaseLogger, idOf: (request: Parameters<Front>[0]) => string): Front {
  if (!/^(?:info|debug|trace)$/.test(log.level)) return front;
  return (request, response) => {
    const startedAt = performance.now();
    const reqId = idOf(request);
    response.setHeader('x-request-id', reqId);
    const route = front(request, response);
    if (route === undefined) response.removeHeader('x-request-id');
    else {
      const { method } = request;
      log.info({ reqId, ...lineOf({ method, route }, response.statusCode, performance.now() - startedAt) }, 'request');
    }
    return route;
  };
}

/** What a line says of a request: its route, since a path may have a number or a secret in it, and how it ended, after how many ms. */
function lineOf({ method, route }: { method: string | undefined; route: string }, status: number, ms: number) {
  return { method, route, status, ms: Math.round(ms * 10) / 10 };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Times every request that Fastify answers, from its arrival until its answer was sent. */
export function timeRequests(app: FastifyInstance, metrics: Pick<Metrics, 'countRequest'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.countRequest({
      route: routeOf(request, reply.statusCode),
      method: methods.has(request.method) ? request.method : 'other',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });
}

/** An endpoint's template; in a word what the files of the web app and the paths that are nowhere have in common. */
function routeOf({ routeOptions, is404 }: FastifyRequest, status: number): string {
  const { endpoint } = routeOptions.config;
  if (endpoint) return endpoint.path;
  // Each screen's address answers with the page of the app, and no route.
  if (is404) return status < 400 ? 'site' : 'unknown';
  const { url = '' } = routeOptions;
  if (url.startsWith('/uploads/')) return 'uploads';
  return url.startsWith('/api/') ? 'openapi' : 'site';
}
