import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import { readLiveness, readReadiness } from '#contract/health.ts';
import { httpLimits } from '#server/process/limits.ts';
import { outageLimits } from '#server/process/outage-limits.ts';

const health = [readLiveness.path, readReadiness.path];

/**
 * Refuses calls at the door, with BUSY, while more wait for the database than it answers in a second or so. What is under way
 * goes on. After an outage everybody comes back at once: were they all let in, each would wait until nobody waits for the
 * answer any more, and the work would be done for nobody.
 */
export function shedLoad(app: FastifyInstance, pool: Pick<pg.Pool, 'waitingCount'>): void {
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    const endpoint = routeOptions.config.endpoint;
    if (endpoint && pool.waitingCount > outageLimits.waitingAtMost && !health.includes(endpoint.path as never))
      throw new Failure('BUSY', { retryAfter: httpLimits.retryAfterSeconds });
    done();
  });
}
