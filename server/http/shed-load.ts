import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import { readLiveness, readReadiness } from '#contract/health.ts';
import { databaseLimits } from '#server/database/limits.ts';
import { httpLimits } from './limits.ts';

const calls = (endpoint: { path: string }, { routeOptions }: FastifyRequest) =>
  routeOptions.config.endpoint?.path === endpoint.path;

/**
 * Refuses new calls, but the liveness check, with BUSY while the event loop is blocked for longer than `eventLoopMs`, or more
 * wait for the database than it answers in about a second: after an outage all clients come back at once.
 */
export function shedLoad(
  app: FastifyInstance,
  { pool, eventLoopMs }: { pool: Pick<pg.Pool, 'waitingCount'>; eventLoopMs: number },
): void {
  const delays = monitorEventLoopDelay();
  let delayMs = 0;
  const timer = setInterval(() => {
    delayMs = delays.mean / 1e6;
    delays.reset();
  }, httpLimits.eventLoopSampleMs).unref();
  // What holds the event loop up while the application starts does not count.
  app.addHook('onReady', async () => void delays.enable());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isBehind = request.routeOptions.config.endpoint && pool.waitingCount > databaseLimits.waitingAtMost;
    const isRefused = delayMs > eventLoopMs || (isBehind && !calls(readReadiness, request));
    if (isRefused && !calls(readLiveness, request))
      throw new Failure('BUSY', { retryAfter: httpLimits.retryAfterSeconds });
    done();
  });
}
