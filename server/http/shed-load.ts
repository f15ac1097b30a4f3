import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import { readLiveness, readReadiness } from '#contract/health.ts';
import { databaseLimits, httpLimits } from '#server/process/limits.ts';

const calls = (endpoint: { path: string }, { routeOptions }: FastifyRequest) =>
  routeOptions.config.endpoint?.path === endpoint.path;

/**
 * Refuses new calls, but the liveness check, with BUSY while the event loop is blocked for longer than `eventLoopMs`, or more
 * wait for the database than it answers in about a second: after an outage all clients come back at once.
 */
export async function shedLoad(
  app: FastifyInstance,
  { pool, eventLoopMs }: { pool: Pick<pg.Pool, 'waitingCount'>; eventLoopMs: number },
): Promise<void> {
  const busy = () => new Failure('BUSY', { retryAfter: httpLimits.retryAfterSeconds });
  // Starting holds the event loop up too: what counts is a sample that was begun after it.
  let isSampled = false;
  app.addHook('onReady', async () => {
    setTimeout(() => {
      isSampled = true;
    }, 2 * httpLimits.eventLoopSampleMs).unref();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopMs,
    sampleInterval: httpLimits.eventLoopSampleMs,
    pressureHandler(request) {
      if (isSampled && !calls(readLiveness, request)) throw busy();
    },
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isHealth = calls(readLiveness, request) || calls(readReadiness, request);
    if (request.routeOptions.config.endpoint && pool.waitingCount > databaseLimits.waitingAtMost && !isHealth)
      throw busy();
    done();
  });
}
