import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { stopLimits } from '#server/process/limits.ts';
import { addressesIn, addressKey, withoutPorts } from './addresses.ts';
import { httpLimits } from './limits.ts';

/** Fastify's own limits on requests; those on connections are `createServer`'s. */
export const requestOptions = {
  bodyLimit: httpLimits.bodyBytes,
  handlerTimeout: httpLimits.handlerMs,
  return503OnClosing: true,
  forceCloseConnections: 'idle',
  routerOptions: { maxParamLength: httpLimits.parameterCharacters },
} as const satisfies FastifyServerOptions;

interface ServerOptions {
  /** The most connections at once; one address may hold half of them. */
  connections?: number | undefined;
  /** Proxies, which may hold all of them. */
  trusted?: readonly string[] | undefined;
  times?: Record<'requestMs' | 'headersMs' | 'keepAliveMs' | 'lateCheckMs', number>;
}

/** A server with limits on its connections and their times. */
export function createServer({
  connections = httpLimits.connections,
  trusted = [],
  times = httpLimits,
}: ServerOptions = {}): Server {
  const server = http.createServer({
    requestTimeout: times.requestMs,
    headersTimeout: times.headersMs,
    keepAliveTimeout: times.keepAliveMs,
    connectionsCheckingInterval: times.lateCheckMs,
  });
  server.timeout = httpLimits.idleConnectionMs;
  server.maxRequestsPerSocket = httpLimits.requestsPerConnection;
  server.maxConnections = connections;
  const isTrusted = addressesIn(trusted);
  const counts = new Map<string, number>();
  return server.on('connection', (socket: Socket) => {
    if (isTrusted(socket.remoteAddress)) return;
    const key = addressKey(socket.remoteAddress ?? '');
    const count = (counts.get(key) ?? 0) + 1;
    if (count > connections / 2) return void socket.destroy();
    counts.set(key, count);
    socket.once('close', () => {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    });
  });
}

/** The most files this process may open; Node raises its soft limit to the hard one. */
function openFilesAtMost(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const { soft } = userLimits?.open_files ?? { soft: 'unlimited' };
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft;
}

/** The most connections that leave the process the files it needs itself. Throws CannotStart if that is too few. */
export function connectionsAllowed(files = openFilesAtMost()): number {
  const { connections, otherFiles, filesPerConnection, fewestConnections } = httpLimits;
  const allowed = Math.min(connections, Math.floor((files - otherFiles) / filesPerConnection));
  if (allowed >= fewestConnections) return allowed;
  throw new CannotStart(
    `Ce processus ne peut ouvrir que ${files} fichiers à la fois, et Guichet en demande au moins ${otherFiles + filesPerConnection * fewestConnections} : relevez cette limite (ulimit -n, ou LimitNOFILE de systemd).`,
  );
}

/** Answers a request and returns its route, or returns undefined to leave it to Fastify. */
export type Front = (request: IncomingMessage, response: ServerResponse) => string | undefined;

/**
 * Makes Fastify serve on a server of `createServer`, with a function in front of it until `closing`. Both see forwarded addresses without
 * ports. A connection with too many pipelined requests is destroyed: Node hands over up to a thousand from one read in one turn.
 */
export function serverWith(front: Front, closing: AbortSignal, options?: ServerOptions) {
  const ahead = new WeakMap<Socket, number>();
  return (handle: RequestListener): Server =>
    createServer(options).on('request', (request, response) => {
      const { socket } = request;
      // A response gets its socket once the earlier ones have left.
      const count = response.socket ? 0 : (ahead.get(socket) ?? 0) + 1;
      if (count > httpLimits.requestsWaiting) return void socket.destroy();
      ahead.set(socket, count);
      const forwarded = request.headers['x-forwarded-for'];
      if (forwarded) request.headers['x-forwarded-for'] = withoutPorts(String(forwarded));
      if (closing.aborted || front(request, response) === undefined) handle(request, response);
    });
}

/** Refuses a body whose sender hung up before it was read. Its end event has passed, so a reader would wait for ever. */
export function refuseHungUp(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw, headers }, _reply, body, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    done(hasBody && raw.destroyed ? new Failure('UPLOAD_MALFORMED') : null, body);
  });
}

/** Waits for work on an arriving body. Throws TOO_SLOW when no byte has arrived between two checks and the body is incomplete. */
export async function whileArriving<T>({ raw }: FastifyRequest, work: Promise<T>): Promise<T> {
  const still = Promise.withResolvers<never>();
  let seen = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const now = raw.socket.bytesRead;
    if (now === seen && !raw.complete) still.reject(new Failure('TOO_SLOW'));
    seen = now;
  }, httpLimits.uploadLookMs);
  return Promise.race([work, still.promise]).finally(() => clearInterval(timer));
}

/** Makes closing end each connection after its answer, and cut requests that do not finish. Aborts `closing` as it begins. */
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
