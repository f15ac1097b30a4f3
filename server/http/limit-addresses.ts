import { setTimeout as pause } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { addressKey, countByAddress } from './addresses.ts';
import { httpLimits } from './limits.ts';

/**
 * Refuses, before anything else looks at a request, those of an address that sent more than so many in a period: each call
 * counts, refused ones too. A flood waits for its refusals, so that others get their turns.
 */
export async function limitAddresses(app: FastifyInstance, requestsPerPeriod: number): Promise<void> {
  const { requestsPeriodMs: periodMs, addressesCounted: addresses, refusedAtOnce, refusalWaitMs } = httpLimits;
  await app.register(rateLimit, {
    // By a hook of each route it would count behind the route's own, and so no call that these refuse.
    global: false,
    max: requestsPerPeriod,
    timeWindow: periodMs,
    // Who hung up has no address any more.
    keyGenerator: ({ ip }) => addressKey(ip ?? ''),
  });
  const count = app.rateLimit();
  const refused = countByAddress({ atMost: refusedAtOnce, periodMs, addresses });
  app.addHook('onClose', async () => refused.stop());
  app.addHook('onRequest', async (request, reply) => {
    try {
      await count.call(app, request, reply);
    } catch (error) {
      if (!refused.take(request.ip ?? '')) await pause(refusalWaitMs);
      throw error;
    }
  });
}
