import Fastify from 'fastify';
import { CannotStart } from '#server/process/cannot-start.ts';
import { metricsLimits } from './limits.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Serves only GET /metrics, on a separate port that is not public. Throws CannotStart. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'read'>,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  const { requestMs, keepAliveMs, connections } = metricsLimits;
  const app = Fastify({
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  app.server.maxConnections = connections;
  app.get('/metrics', async (_request, reply) => {
    const { text, type } = await metrics.read();
    return reply.headers({ 'content-type': type, 'cache-control': 'no-store' }).send(text);
  });
  await app.listen({ port, host }).catch((error: Error) => {
    throw new CannotStart(
      `Impossible d'écouter sur ${host}:${port} pour les mesures (${error.message}) : vérifiez METRICS_HOST et METRICS_PORT.`,
    );
  });
  return { port: (app.server.address() as { port: number }).port, close: () => app.close() };
}
