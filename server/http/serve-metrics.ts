import { once } from 'node:events';
import http from 'node:http';
import { CannotStart } from '#server/process/cannot-start.ts';
import { metricsLimits } from '#server/process/watch-limits.ts';
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
  const { requestMs, headerBytes, keepAliveMs, connections } = metricsLimits;
  const server = http.createServer(
    { maxHeaderSize: headerBytes, requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      const [path] = (request.url ?? '').split('?');
      if (request.method !== 'GET' || path !== '/metrics') {
        response
          .writeHead(404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
          .end('GET /metrics\n');
        return;
      }
      metrics.read().then(
        ({ text, type }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
  server.maxConnections = connections;
  server.setTimeout(keepAliveMs);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(
      error.code === 'EADDRINUSE'
        ? `Le port ${port} (METRICS_PORT) est déjà pris : choisissez-en un autre.`
        : `Impossible d'écouter sur ${host}:${port} pour les mesures (${error.message}) : vérifiez METRICS_HOST et METRICS_PORT.`,
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
