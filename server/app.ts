import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { readLiveness, readReadiness } from '#contract/health.ts';
import { initData } from '#contract/init-data.ts';
import { maximumImageBytes } from '#contract/uploads.ts';
import { httpLimits } from '#server/http/limits.ts';
import { AnswerCache } from './cache/answer-cache.ts';
import { answersFromMemory } from './cache/answer-from-memory.ts';
import { feedLimits, openChangeFeed } from './cache/change-feed.ts';
import { SessionCache } from './cache/session-cache.ts';
import type { Connection } from './database/connect.ts';
import type { ProductKeys } from './database/product-keys.ts';
import { ownAccountRoutes } from './features/accounts/own-account-routes.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { readAlarmFigures } from './features/alarms/store.ts';
import { registerAudit } from './features/audit/register-audit.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { backupRoutes } from './features/backup/routes.ts';
import { beneficiaryRoutes } from './features/beneficiaries/routes.ts';
import { catalogueRoutes } from './features/catalogue/routes.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { authRoutes } from './features/entry/routes.ts';
import { type Cookies, cookieName, registerSessions, sessionCookie } from './features/entry/session-cookie.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { contentPageRoutes, pageBackgroundRoutes, settingsRoutes } from './features/pages/routes.ts';
import { dialTemplateRoutes } from './features/payment-types/dial-template-routes.ts';
import { paymentTypeRoutes } from './features/payment-types/routes.ts';
import { closingRoutes } from './features/payments/closing/routes.ts';
import { openMessageReading } from './features/payments/intake/intake.ts';
import { paymentIntakeRoutes } from './features/payments/intake/routes.ts';
import { openStatementReader } from './features/payments/intake/statements/open-statement-reader.ts';
import { readStatementModels } from './features/payments/intake/statements/statement-model.ts';
import { proposalRoutes } from './features/payments/matching/proposal-routes.ts';
import { decisionRoutes, paymentRoutes } from './features/payments/matching/routes.ts';
import { pushRoutes } from './features/push/routes.ts';
import { pushServices } from './features/push/services.ts';
import { smsRoutes } from './features/sms/routes.ts';
import { receiptRoutes } from './features/tickets/receipt-routes.ts';
import { ticketRoutes } from './features/tickets/routes.ts';
import { openImageEncoder } from './features/uploads/encode-image.ts';
import { imageRoutes } from './features/uploads/routes.ts';
import type { UploadTools } from './features/uploads/store-upload.ts';
import { openPasswordHasher, type PasswordCost } from './features/users/password.ts';
import { addressKey, callerAddress, countByAddress } from './http/addresses.ts';
import { drainOnClose, refuseHungUp, requestOptions, serverWith } from './http/connections.ts';
import { answerFailure, refusingValidator } from './http/failures.ts';
import { type Caller, refuseCrossSite } from './http/guards.ts';
import { limitAddresses } from './http/limit-addresses.ts';
import type { Metrics } from './http/metrics.ts';
import { collectEndpoints, openApiDocument } from './http/openapi.ts';
import { protocolErrors } from './http/protocol-errors.ts';
import { createLimits } from './http/rate-limits.ts';
import { logged, OneLineARequest, requestIds, timeRequests } from './http/request-log.ts';
import { route } from './http/route.ts';
import { answerHeaders, securityHeaders } from './http/security-headers.ts';
import { shedLoad } from './http/shed-load.ts';
import { isApiPath, readPage, serveSite } from './http/static-site.ts';
import { type Environment, isPublic } from './process/environment.ts';
import { writeStarterData } from './starter/write-starter-data.ts';

export interface AppTools extends Omit<Connection, 'close'> {
  environment: Pick<Environment, 'PUBLIC_URL' | 'TRUST_PROXY' | 'RATE_LIMITS' | 'BACKUP_DIR'>;
  /** For codes and cookies: with another one those of before are worth nothing. */
  secret: string;
  keys: ProductKeys;
  log: FastifyBaseLogger;
  /** Open at once; the product's own limit when left out. */
  connections?: number | undefined;
  /** Aborted when the process is told to stop: it still answers, and is not ready for more. */
  stopping?: AbortSignal | undefined;
  /** Where somebody asks for them. */
  metrics?: Metrics | undefined;
  /** Origins of push services, for tests; by default those of the browsers' makers. */
  pushServices?: readonly string[] | undefined;
  /** Time without a turn of the event loop after which calls are refused, in milliseconds; the product's own by default. */
  eventLoopMs?: number | undefined;
  /** Of hashing a password, for tests; the product's own when left out. */
  passwordCost?: PasswordCost | undefined;
  /** How long the change feed is trusted without a look, in milliseconds, for tests; the product's own when left out. */
  feed?: { trustMs: number } | undefined;
  /** Answers from memory to one address before they count as requests; the product's own by default. */
  answersPerPeriod?: number | undefined;
  /** Requests of one address before it is refused; the product's own by default. */
  requestsPerPeriod?: number | undefined;
}

/** The whole product as one Fastify application, not yet listening. Production and the tests build the same one. */
export async function buildApp(tools: AppTools): Promise<FastifyInstance> {
  const { db } = tools;
  const site = readSite(tools.environment);
  const { app, sessions, closing } = openServer(tools, site);
  app.setValidatorCompiler(refusingValidator);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerFailure);
  app.removeContentTypeParser('text/plain');
  await addRequestHooks(app, tools, site);
  drainOnClose(app, closing);

  const endpoints = collectEndpoints(app);
  const cookies = registerSessions(app, { db, https: site.https, known: sessions });
  registerAudit(app, { db });
  await addRoutes(app, tools, { ...site, endpoints, cookies });
  // Spelt once: it takes milliseconds in which nobody else is answered.
  const document = JSON.stringify(
    openApiDocument(endpoints, { server: site.origin ?? '/', sessionCookie: cookies.own(sessionCookie).name }),
  );
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
  imageRoutes(app, { db });
  await serveSite(app);
  return app;
}

/** What the settings say of the product's public address, and whether its calls are limited. */
function readSite({ PUBLIC_URL, RATE_LIMITS }: AppTools['environment']) {
  const url = PUBLIC_URL ? new URL(PUBLIC_URL) : undefined;
  const https = url?.protocol === 'https:';
  const limited = RATE_LIMITS === 'on';
  return { origin: url?.origin, host: url?.hostname, https, limited, ofAnswers: answerHeaders({ https }) };
}

type Site = ReturnType<typeof readSite>;

/** Fastify behind the answers from memory, with the change feed that they follow. */
function openServer(tools: AppTools, { https, limited, ofAnswers }: Site) {
  const { environment, db, pool } = tools;
  const changeFeed = openChangeFeed(tools, tools.log, { ...feedLimits, ...tools.feed });
  const answers = new AnswerCache(changeFeed);
  const sessions = new SessionCache<Caller>(changeFeed);
  const idOf = requestIds(environment.TRUST_PROXY);
  const ofMemory = countByAddress({
    atMost: limited ? (tools.answersPerPeriod ?? httpLimits.answersPerPeriod) : Number.POSITIVE_INFINITY,
    periodMs: httpLimits.requestsPeriodMs,
    addresses: httpLimits.addressesCounted,
  });
  const addressOf = callerAddress(environment.TRUST_PROXY);
  const fromMemory = answersFromMemory({
    answers,
    sessions,
    cookie: cookieName(sessionCookie, https),
    headers: ofAnswers,
    count: (request) => ofMemory.take(addressOf(request)),
  });
  const closing = new AbortController();
  const app: FastifyInstance = Fastify({
    ...requestOptions,
    serverFactory: serverWith(logged(fromMemory, tools.log, idOf), closing.signal, {
      connections: tools.connections,
      trusted: environment.TRUST_PROXY,
    }),
    genReqId: idOf,
    logController: new OneLineARequest(),
    loggerInstance: tools.log,
    trustProxy: environment.TRUST_PROXY ?? false,
    ...protocolErrors(ofAnswers),
  });
  app.decorate('changeFeed', changeFeed).decorate('answers', answers);
  app.addHook('onReady', async () => changeFeed.start());
  app.addHook('onClose', async () => {
    ofMemory.stop();
    await changeFeed.stop();
  });
  if (tools.metrics) {
    timeRequests(app, tools.metrics);
    tools.metrics.watch({ pool, feed: changeFeed, answers, readDatabase: () => readAlarmFigures(db) });
  }
  return { app, sessions, closing };
}

/** What every request passes before its route, in this order: cookies, headers, then the refusals. */
async function addRequestHooks(app: FastifyInstance, tools: AppTools, { origin, https, limited, ofAnswers }: Site) {
  // First: what refuses a request before anything else is answered by hooks that look at its cookies.
  await app.register(cookie);
  await app.register(helmet, securityHeaders({ https, page: readPage() }));
  // Before any refusal: who is refused gets the headers that all get.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.routeOptions.config.endpoint || (request.is404 && isApiPath(request))) reply.headers(ofAnswers);
    done();
  });
  if (limited) await limitAddresses(app, tools.requestsPerPeriod ?? httpLimits.requestsPerPeriod);
  app.addHook('onRequest', (request, _reply, done) => {
    // A body of which nothing will be read is not waited for.
    if (request.is404 && !/^(?:GET|HEAD)$/.test(request.method)) throw new Failure('NOT_FOUND');
    refuseCrossSite(request, origin);
    done();
  });
  shedLoad(app, { pool: tools.pool, eventLoopMs: tools.eventLoopMs ?? httpLimits.eventLoopMs });
  await app.register(multipart, {
    limits: {
      fileSize: maximumImageBytes,
      files: 1,
      fields: httpLimits.formFields,
      parts: httpLimits.formParts,
      fieldSize: httpLimits.fieldBytes,
      headerPairs: httpLimits.partHeaders,
    },
  });
  app.addHook('onSend', (request, reply, _body, done) => {
    if (isApiPath(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });
  refuseHungUp(app);
}

/** The endpoints of every slice, each with the tools that it takes. */
async function addRoutes(
  app: FastifyInstance,
  tools: AppTools,
  { origin, host, limited, endpoints, cookies }: Site & { endpoints: Endpoint[]; cookies: Cookies },
) {
  const { db, pool, secret, keys } = tools;
  const limits = createLimits(pool, limited);
  const passwords = openPasswordHasher(tools.passwordCost);
  const uploadTools: UploadTools = {
    db,
    encodeImage: openImageEncoder(),
    countUpload: (userId) => limits.consume('imagesPerAdministrator', String(userId)),
  };
  route(app, readLiveness, async () => ({ status: 'ok' as const }));
  route(app, readReadiness, async () => {
    if (tools.stopping?.aborted) throw new Failure('BUSY', { retryAfter: httpLimits.retryAfterSeconds });
    await pool.query('select 1');
    return { status: 'ok' as const };
  });
  route(app, initData, async ({ request }) => {
    await limits.consume('starterDataPerAddress', addressKey(request.ip));
    return { seeded: await writeStarterData(db) };
  });
  authRoutes(app, { db, limits, passwords, limited, secret, host, cookies });
  ownAccountRoutes(app, { db, limits, passwords, secret, cookies });
  auditRoutes(app, { db, endpoints });
  backupRoutes(app, { db, isScheduled: tools.environment.BACKUP_DIR !== undefined });
  accountRoutes(app, { db, passwords });
  catalogueRoutes(app, uploadTools);
  const refusesExamples = isPublic(tools.environment);
  paymentTypeRoutes(app, { ...uploadTools, refusesExamples });
  dialTemplateRoutes(app, { db });
  contentPageRoutes(app, { db });
  pageBackgroundRoutes(app, uploadTools);
  settingsRoutes(app, { db });
  smsRoutes(app, { db, limits, limited });
  notificationRoutes(app, { db });
  pushRoutes(app, { db, services: tools.pushServices ?? pushServices });
  beneficiaryRoutes(app, { db });
  ticketRoutes(app, { db, pool, limited, refusesExamples });
  await paymentIntakeRoutes(app, {
    db,
    limits,
    ...openMessageReading(keys.messages),
    models: readStatementModels(),
    statements: openStatementReader(),
    countStatement: (userId) => limits.consume('statementsPerAdministrator', String(userId)),
    publicUrl: origin,
  });
  receiptRoutes(app, { db, limits, key: keys.receipts });
  paymentRoutes(app, { db });
  proposalRoutes(app, { db });
  decisionRoutes(app, { db, limited });
  closingRoutes(app, { db });
  dashboardRoutes(app, { db });
}
