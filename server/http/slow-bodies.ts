import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';

interface Pace {
  /** How often a body that is still arriving is looked at, in milliseconds. */
  periodMs: number;
  /** Bytes that must have come since the last look. */
  bytesPerPeriod: number;
}

/** Refuses a body without a route unread, and closes connections whose body trickles or goes on after its answer. */
export function refuseSlowBodies(app: FastifyInstance, { periodMs, bytesPerPeriod }: Pace): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    // An injected request has no connection, and has come whole.
    if (!announcesBody(request) || socket.bytesRead === undefined) return done();
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      if (raw.complete || socket.destroyed) return clearInterval(timer);
      const came = socket.bytesRead - seen;
      seen = socket.bytesRead;
      if (came >= bytesPerPeriod && !reply.sent) return;
      clearInterval(timer);
      // The answer has a period to leave before the connection ends under it.
      if (!reply.sent) void reply.header('connection', 'close').send(new Failure('TOO_SLOW'));
      setTimeout(() => socket.destroy(), periodMs).unref();
    }, periodMs).unref();
    raw.once('close', () => clearInterval(timer));
    if (request.is404) throw new Failure('NOT_FOUND');
    done();
  });
  // A caller who hung up sends no more, and the stream's end was emitted before: a reader would wait for ever.
  app.addHook('preParsing', (request, _reply, body, done) => {
    if (announcesBody(request) && request.raw.destroyed) throw new Failure('UPLOAD_MALFORMED');
    done(null, body);
  });
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
