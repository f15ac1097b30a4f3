import { once } from 'node:events';
import http from 'node:http';
import { metricsLimits } from '#server/process/alarm-limits.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Serves GET /metrics alone on a port of its own, which is not the public's. Throws CannotStart. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'read'>,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  const { requestMs, keepAliveMs } = metricsLimits;
  const server = http.createServer(
    { requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      const [path] = (request.url ?? '').split('?');
      if (request.method !== 'GET' || path !== '/metrics') {
        response.writeHead(404, { connection: 'close' }).end();
        return;
      }
      metrics.read().then(
        ({ text, type }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
  server.maxConnections = metricsLimits.connections;
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(
      `Impossible d'écouter sur ${host}:${port} pour les mesures (${error.message}) : vérifiez METRICS_HOST et METRICS_PORT.`,
    );
  });
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
