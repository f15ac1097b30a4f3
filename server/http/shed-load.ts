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
 * Refuses new calls, except the liveness check, with BUSY. It does so while the event loop is blocked for more than `eventLoopMs`, or
 * while too many SQL statements wait: more than about a second of work. After an outage all clients return at once.
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
  // Delays of the event loop during the start do not count.
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
