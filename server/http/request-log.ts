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

/** An acceptable id from a proxy: long enough, with a letter, and without characters that could forge a log line. */
const wellFormed = /^(?=.*[A-Za-z])[\w-]{8,64}$/;

/**
 * Gives each request its id for the log: the X-Request-Id of a trusted proxy, else a new one. New ids begin with letters of this process,
 * since processes may share a log. No id looks like a phone number, which the log would mask.
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

/** Logs one line per request at `info`, when it is answered. Errors are logged at their own level. */
export class OneLineARequest extends LogController {
  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method } = request;
    const line = lineOf({ method, route: routeOf(request, reply.statusCode) }, reply.statusCode, reply.elapsedTime);
    // A proxy's health check each second would fill the log.
    if (!error && request.routeOptions.url?.startsWith('/api/health/')) return;
    if (error) reply.log.error({ ...line, err: error }, 'answer broke off');
    else reply.log.info(line, 'request');
  }
}

/** Logs answers given in front of Fastify like the others, and sets their ids, if the log level includes such lines. */
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

/** The facts in a request's log line: route, status and duration in ms. The path is left out, since it may hold a number or a secret. */
function lineOf({ method, route }: { method: string | undefined; route: string }, status: number, ms: number) {
  return { method, route, status, ms: Math.round(ms * 10) / 10 };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Measures every request that Fastify answers, from its arrival until its answer is sent. */
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

/** An endpoint's template, or one word for all files of the web app, and one for unknown paths. */
function routeOf({ routeOptions, is404 }: FastifyRequest, status: number): string {
  const { endpoint } = routeOptions.config;
  if (endpoint) return endpoint.path;
  // Addresses of screens have no route; all answer with the app's page.
  if (is404) return status < 400 ? 'site' : 'unknown';
  const { url = '' } = routeOptions;
  if (url.startsWith('/uploads/')) return 'uploads';
  return url.startsWith('/api/') ? 'openapi' : 'site';
}
