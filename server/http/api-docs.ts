import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ApiAddress, openApiDocument } from './openapi.ts';

/** The page of `/api/docs` loads this server's files alone. Its scripts set styles, its style sheet holds pictures. */
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

/** The page sends nothing, so it needs no address bar and sign-in; on a phone wide tables scroll inside their call. */
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

/** Serves the OpenAPI document of these endpoints, and a page at `/api/docs` that reads it and sends no calls. */
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
