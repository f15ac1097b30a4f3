import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { httpLimits, stopLimits } from '#server/process/limits.ts';
import type { StartupServer } from './startup-server.ts';

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

/** Fastify's own server (`lib/server.js`, version 5) with a function in front, until it closes; or the door's. */
export function serverWith(front: Front, closing: AbortSignal, door?: Pick<StartupServer, 'server' | 'leadTo'>) {
  return (handle: RequestListener): Server => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (closing.aborted || !front(request, response)) handle(request, response);
    };
    const listener = oneByOne(answer);
    const server = door?.server ?? http.createServer(listener);
    door?.leadTo(listener);
    server.on('connection', readNothingOfTheClosed);
    server.maxConnections = httpLimits.connections;
    server.keepAliveTimeout = connectionOptions.keepAliveTimeout;
    server.requestTimeout = connectionOptions.requestTimeout;
    server.maxRequestsPerSocket = connectionOptions.maxRequestsPerSocket;
    server.setTimeout(connectionOptions.connectionTimeout);
    return server;
  };
}

/**
 * Answers a connection's requests one by one, each in its own turn of the event loop: a client that pipelines, or does not
 * read, delays no other one and fills no memory. A connection on which too many requests wait is closed.
 */
function oneByOne(answer: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response has its socket as soon as those before it have left.
    if (response.socket) return answer(request, response);
    const { socket } = request;
    const behind = (waiting.get(socket) ?? 0) + 1;
    if (behind > httpLimits.requestsWaiting) return socket.destroy();
    waiting.set(socket, behind);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      setImmediate(() => socket.destroyed || answer(request, response));
    });
  };
}

/** A connection's parser, as Node makes it (26, `lib/_http_common.js`); undocumented. */
interface ParsingSocket extends Socket {
  parser?: { onIncoming?: (...headers: unknown[]) => number };
}

/**
 * Stops parsing a closed connection. Node parses all of one read, up to a thousand requests, though the first destroyed the
 * connection: 40 such take half a second. To its parser 2 means that another protocol follows, and it stops.
 */
function readNothingOfTheClosed(socket: ParsingSocket): void {
  const { parser } = socket;
  const onIncoming = parser?.onIncoming;
  if (!parser || !onIncoming) return;
  parser.onIncoming = (...headers) => {
    const follows = onIncoming.apply(parser, headers);
    return socket.destroyed ? 2 : follows;
  };
}

/** Closing ends each connection with its answer, and cuts requests that do not end. Aborts `closing` as it begins. */
export function drainOnClose(app: FastifyInstance, closing: AbortController): void {
  app.addHook('preClose', async () => {
    closing.abort();
    setTimeout(() => app.server.closeAllConnections(), stopLimits.drainMs).unref();
  });
  app.addHook('onSend', (_request, reply, _body, done) => {
    if (closing.signal.aborted) reply.header('connection', 'close');
    done();
  });
}
