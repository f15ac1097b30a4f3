import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Times every request that Fastify answers, from its arrival until its answer was sent. */
export function timeRequests(app: FastifyInstance, metrics: Pick<Metrics, 'countRequest'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.countRequest({
      route: routeOf(request, reply.statusCode),
      method: methods.has(request.method) ? request.method : 'other',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });
}

/** An endpoint's template; in a word what the files of the web app and the paths that are nowhere have in common. */
function routeOf({ routeOptions, is404 }: FastifyRequest, status: number): string {
  const { endpoint } = routeOptions.config;
  if (endpoint) return endpoint.path;
  // Each screen's address answers with the page of the app, and no route.
  if (is404) return status < 400 ? 'site' : 'unknown';
  const { url = '' } = routeOptions;
  if (url.startsWith('/uploads/')) return 'uploads';
  return url.startsWith('/api/') ? 'api-docs' : 'site';
}
