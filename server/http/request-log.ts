import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Front } from './connections.ts';

/** At `info` one line a request, when it is answered; what goes wrong is logged at its own level, as ever. */
export class OneLineARequest extends LogController {
  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = lineOf(request, reply.statusCode, reply.elapsedTime);
    if (error) reply.log.error({ ...line, err: error }, 'answer broke off');
    else reply.log.info(line, 'request');
  }
}

/**
 * Has what is answered in front of Fastify logged as the rest is, with an id that is answered too. Where such lines are not
 * wanted it is left as it is: an answer from memory has no line that could be looked up, and no time for one.
 */
export function logged(front: Front, log: FastifyBaseLogger, idOf: (request: Parameters<Front>[0]) => string): Front {
  if (!/^(?:info|debug|trace)$/.test(log.level)) return front;
  return (request, response) => {
    const startedAt = performance.now();
    const reqId = idOf(request);
    response.setHeader('x-request-id', reqId);
    if (front(request, response)) {
      log.info({ reqId, ...lineOf(request, response.statusCode, performance.now() - startedAt) }, 'request');
      return true;
    }
    response.removeHeader('x-request-id');
    return false;
  };
}

/** What a line says of a request: where to, without what stands after the question mark, and how it ended, after how many ms. */
function lineOf({ method = '', url = '' }: { method?: string; url?: string }, status: number, ms: number) {
  return { method, url: url.split('?')[0], status, ms: Math.round(ms * 10) / 10 };
}
