import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { httpLimits, stopLimits } from '#server/process/limits.ts';

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

/**
 * While closing, every answer ends its connection, so that a browser's idle keep-alive holds nothing up; a request that
 * does not end is cut, so that what stops after the application still stops in time.
 */
export function drainOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    setTimeout(() => app.server.closeAllConnections(), stopLimits.drainMs).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
