import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ApiAddress, openApiDocument } from './openapi.ts';

/**
 * Everything the page of `/api/docs` may load is of this server. Its scripts set styles on the elements they draw, and its
 * style sheet holds its pictures.
 */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page reads this one document and sends nothing, so the bar for other addresses and the sign-in would lead nowhere;
 * and on a phone the tables of answers scroll inside their call.
 */
const readingStyle = `
.swagger-ui .topbar, .swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none }
.swagger-ui .opblock-body { overflow-x: auto }
`;

/** The endpoints that are registered from now on, for the document; the routes of plugins are none. */
export function collectEndpoints(app: FastifyInstance): Endpoint[] {
  const endpoints: Endpoint[] = [];
  app.addHook('onRoute', ({ config, method }) => {
    if (config?.endpoint && method !== 'HEAD') endpoints.push(config.endpoint);
  });
  return endpoints;
}

/**
 * Serves the OpenAPI document of these endpoints at `/api/openapi.json`, and a page to read it at `/api/docs`, which only
 * reads: it sends no calls.
 */
export async function serveApiDocs(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  address: ApiAddress,
): Promise<void> {
  const document = openApiDocument(endpoints, address);
  app.get('/api/openapi.json', async () => document);
  await app.register(swagger, { mode: 'static', specification: { document } as StaticDocumentSpec });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: docsPolicy,
    theme: { title: 'Guichet · API', css: [{ filename: 'reading.css', content: readingStyle }] },
    uiConfig: { supportedSubmitMethods: [], validatorUrl: null, deepLinking: true, docExpansion: 'list' },
  });
}
