import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type pg from 'pg';
import { readLiveness, readReadiness } from '#contract/health.ts';
import { initData } from '#contract/init-data.ts';
import { maximumImageBytes } from '#contract/uploads.ts';
import type { Db } from './database/connect.ts';
import type { Environment } from './environment.ts';
import { recordActions } from './features/audit/record-actions.ts';
import { authRoutes } from './features/auth/routes.ts';
import { backgroundRoutes } from './features/background/routes.ts';
import { catalogueRoutes } from './features/catalogue/routes.ts';
import { contentPageRoutes } from './features/content-pages/routes.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { paymentTypeRoutes } from './features/payment-types/routes.ts';
import { registerSessions } from './features/sessions/session-cookie.ts';
import { ticketRoutes } from './features/tickets/routes.ts';
import type { ImageStore } from './features/uploads/image-store.ts';
import { userRoutes } from './features/users/routes.ts';
import { answerFailure } from './http/failures.ts';
import { refuseCrossSite } from './http/guards.ts';
import { openApiDocument } from './http/openapi.ts';
import { addressKey, createLimits } from './http/rate-limits.ts';
import { route } from './http/route.ts';
import { serveSite } from './http/static-site.ts';
import { seedStarterData } from './seed.ts';

export interface AppTools {
  environment: Pick<Environment, 'PUBLIC_URL' | 'TRUST_PROXY' | 'RATE_LIMITS'>;
  db: Db;
  pool: pg.Pool;
  images: ImageStore;
  imagesFolder: string;
  secret: string;
  log: FastifyBaseLogger;
}

/** Requests a minute from one address before it is a flood; thousands of phones may share one (carrier-grade NAT). */
const floodLimit = 6_000;

/** Milliseconds that requests under way get to finish when the server stops. */
const patienceAtClose = 5_000;

/** The whole product as one Fastify application, not yet listening. Production and the tests build the same one. */
export async function buildApp(tools: AppTools): Promise<FastifyInstance> {
  const { environment, db, pool, secret } = tools;
  const publicUrl = environment.PUBLIC_URL ? new URL(environment.PUBLIC_URL) : undefined;
  const limited = environment.RATE_LIMITS === 'on';
  const https = publicUrl?.protocol === 'https:';

  const app: FastifyInstance = Fastify({
    loggerInstance: tools.log,
    trustProxy: environment.TRUST_PROXY ?? false,
    bodyLimit: 256 * 1024,
    requestTimeout: 180_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 10_000,
    handlerTimeout: 20_000,
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => answerFailure(error, request, reply),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 100 },
  });
  app.server.headersTimeout = 10_000;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerFailure);
  app.removeContentTypeParser('text/plain');

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...{ defaultSrc: ["'self'"], scriptSrc: ["'self'"], styleSrc: ["'self'"], connectSrc: ["'self'"] },
        ...{ imgSrc: ["'self'", 'data:', 'blob:'], manifestSrc: ["'self'"], workerSrc: ["'self'"] },
        ...{ objectSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"], formAction: ["'self'"] },
      },
    },
    hsts: https && { maxAge: 31_536_000 },
    referrerPolicy: { policy: 'same-origin' },
    // Chromium warns in the console about every page opened before the header was first seen.
    originAgentCluster: false,
  });
  await app.register(underPressure, { maxEventLoopDelay: 5_000, retryAfter: 5 });
  if (limited) await app.register(rateLimit, { max: floodLimit, timeWindow: '1 minute' });
  await app.register(cookie);
  await app.register(multipart, {
    limits: { fileSize: maximumImageBytes, files: 1, fields: 10, parts: 12, fieldSize: 64 * 1024, headerPairs: 50 },
  });
  await app.register(swagger, openApiDocument);

  app.addHook('onRequest', async (request) => refuseCrossSite(request, publicUrl?.origin));
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });

  closeKindly(app);

  const cookies = registerSessions(app, { db, https });
  recordActions(app, { db });

  route(app, readLiveness, async () => ({ status: 'ok' as const }));
  route(app, readReadiness, async () => {
    await pool.query('select 1');
    return { status: 'ok' as const };
  });
  const limits = createLimits(pool, limited);
  route(app, initData, async ({ request }) => {
    await limits.consume('startersPerAddress', addressKey(request.ip));
    return { seeded: await seedStarterData(db) };
  });
  authRoutes(app, { db, limits, limited, secret, host: publicUrl?.hostname, cookies });
  userRoutes(app, { db });
  catalogueRoutes(app, { db, images: tools.images });
  paymentTypeRoutes(app, { db });
  contentPageRoutes(app, { db });
  backgroundRoutes(app, { db, images: tools.images });
  notificationRoutes(app, { db });
  ticketRoutes(app, { db, limited });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await serveSite(app, tools.imagesFolder);
  return app;
}

/**
 * While closing, every answer ends its connection, so that a browser's idle keep-alive holds nothing up; a request that
 * does not end is cut, so that what stops after the application still stops in time.
 */
function closeKindly(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    setTimeout(() => app.server.closeAllConnections(), patienceAtClose).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
