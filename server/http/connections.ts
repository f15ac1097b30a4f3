import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { httpLimits, stopLimits } from '#server/process/limits.ts';
import type { Door } from './door.ts';

/** How long requests and connections may take, for Fastify's options. */
export const connectionOptions = {
  bodyLimit: httpLimits.bodyBytes,
  requestTimeout: httpLimits.requestMs,
  connectionTimeout: httpLimits.idleConnectionMs,
  keepAliveTimeout: httpLimits.keepAliveMs,
  maxRequestsPerSocket: httpLimits.requestsPerConnection,
  handlerTimeout: httpLimits.handlerMs,
  return503OnClosing: true,
  forceCloseConnections: 'idle',
  routerOptions: { maxParamLength: httpLimits.parameterCharacters },
} as const satisfies FastifyServerOptions;

/** Answers a request, or leaves it to Fastify. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Servers that answer what they have begun, and no more. */
const closing = new WeakSet<Server>();

/**
 * A server as Fastify makes its own (`lib/server.js`, version 5), which hands each request to one function first, until it
 * closes: from then on Fastify refuses them all. Where the port was taken before, it is the door's server.
 */
export function serverWith(front: Front, door?: Pick<Door, 'server' | 'leadTo'>) {
  return (handle: RequestListener): Server => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (closing.has(server) || !front(request, response)) handle(request, response);
    };
    const server = door?.server ?? http.createServer(answer);
    door?.leadTo(answer);
    server.keepAliveTimeout = connectionOptions.keepAliveTimeout;
    server.requestTimeout = connectionOptions.requestTimeout;
    server.maxRequestsPerSocket = connectionOptions.maxRequestsPerSocket;
    server.setTimeout(connectionOptions.connectionTimeout);
    return server;
  };
}

/**
 * While closing, every answer ends its connection, so that a browser's idle keep-alive holds nothing up; a request that
 * does not end is cut, so that what stops after the application still stops in time.
 */
export function drainOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    closing.add(app.server);
    setTimeout(() => app.server.closeAllConnections(), stopLimits.drainMs).unref();
  });
  app.addHook('onSend', (_request, reply, _body, done) => {
    if (closing.has(app.server)) reply.header('connection', 'close');
    done();
  });
}
