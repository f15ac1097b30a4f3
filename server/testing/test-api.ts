import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import inject from 'light-my-request';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, onTestFinished, inject as provided, TestRunner } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { type AppTools, buildApp } from '#server/app.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { openProductKeys } from '#server/database/product-keys.ts';
import { routeThrough, type SmsGateway, type SmsMessage, type SmsRoute } from '#server/features/sms/sms-route.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { passwordCost } from './builders.ts';
import { checkAnswer } from './check-answer.ts';
import { setUpClock } from './database-clock.ts';
import { askOn } from './empty-place.ts';
import { eventually } from './eventually.ts';
import { templateDatabase } from './global-setup.ts';
import { prepareJobs } from './run-jobs.ts';

interface TestRoute {
  method: string;
  url: string;
}

export interface TestApi extends Connection {
  app: FastifyInstance;
  /** Every route that the application registered, its plugins' and those for HEAD included. */
  routes: readonly TestRoute[];
  /** How to reach its database beside it. */
  config: pg.ClientConfig;
  /** Runs the jobs that are due, and those that they queue. */
  runJobs(): Promise<void>;
  /** Every message sent so far, oldest first. */
  sentSms(): SmsMessage[];
  /** The code of the number's `count`-th message (1 by default); the jobs that are due are run for it. */
  readCode(phone: string, count?: number): Promise<string>;
  /** A caller with its own cookie jar. */
  client(): TestClient;
}

type OfApp = Pick<
  AppTools,
  'log' | 'metrics' | 'pushServices' | 'answersPerPeriod' | 'requestsPerPeriod' | 'eventLoopMs'
>;

/** By default nothing is logged or counted, and limits of time are long: machines that test are busy. */
export interface TestApiOptions extends Partial<OfApp> {
  /** Off by default, as the environment variable RATE_LIMITS=off. The tries per code are always counted. */
  rateLimits?: 'on' | 'off';
  publicUrl?: string;
  /** As TRUST_PROXY; none by default. */
  trustProxy?: string[];
  /** How messages leave; to where `sentSms` finds them by default. */
  sms?: SmsRoute;
  /** Whether a worker runs beside the test, without a schedule; otherwise jobs run where the test has them run. */
  worker?: boolean;
  /** Where the database's clock stands until `setClock` sets it; by default it goes as PostgreSQL's own. */
  clock?: string;
  /** How long a statement waits for a lock. */
  lockMs?: number;
  /** How long the change feed is trusted without a look, in milliseconds. */
  trustMs?: number;
  /** A database that is there already; it stays the caller's. */
  on?: { database: string };
}

/** Of each application's codes and cookies. */
export const secret = 'a secret of the tests, long enough';

const routesOf = new WeakMap<FastifyInstance, TestRoute[]>();
const endpointMetBy = new WeakMap<IncomingMessage, Endpoint>();
// Fastify announces each application before anything is registered on it, so the production's is looked at as it is.
subscribe('fastify.initialization', (announced) => {
  const { fastify } = announced as { fastify: FastifyInstance };
  const routes: TestRoute[] = [];
  routesOf.set(fastify, routes);
  fastify.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((each) => ({ method: each, url })));
  });
  fastify.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (routeOptions.config.endpoint) endpointMetBy.set(raw, routeOptions.config.endpoint);
  });
});

/** A new database of the tests' server, made with these words of SQL: an empty one by default. It goes with the server. */
export async function createDatabase(words = 'template template0') {
  const server = provided('server');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await askOn({ ...server, database: 'postgres' }, `create database ${database} ${words}`);
  return { database, config: { ...server, database } };
}

/** The production application on a database of its own. It is closed after the test that starts it, or after the file whose head does. */
export async function startTestApi({
  rateLimits = 'off',
  publicUrl,
  trustProxy,
  sms,
  worker: hasWorker = false,
  clock,
  lockMs = 30_000,
  trustMs = 60_000,
  on,
  ...ofApp
}: TestApiOptions = {}): Promise<TestApi> {
  const { database } = on ?? (await createDatabase(`template ${templateDatabase}`));
  const config = { ...provided('server'), database };
  if (clock) await setUpClock(config, clock);
  const connection = connect(config, () => {});
  const waiting = `set lock_timeout = ${lockMs}; set statement_timeout = ${2 * lockMs}; set idle_in_transaction_session_timeout = 0`;
  connection.pool.on('connect', (client) => void client.query(waiting));
  const sent: SmsMessage[] = [];
  const keeper: SmsGateway = {
    name: 'file',
    async send(message) {
      sent.push(message);
      return { kind: 'sent' };
    },
  };
  const { log = pino({ level: 'silent' }), pushServices } = ofApp;
  const shared = { ...connection, log, pushServices };
  const onOutcome = ofApp.metrics?.countSms;
  const tools = { ...shared, sms: sms ?? routeThrough(keeper), onOutcome, scheduled: false, publicUrl };
  const runJobs = await prepareJobs(tools);
  const worker = hasWorker ? await startWorker(tools) : undefined;
  const app = await buildApp({
    environment: { PUBLIC_URL: publicUrl, TRUST_PROXY: trustProxy, RATE_LIMITS: rateLimits },
    eventLoopMs: Number.POSITIVE_INFINITY,
    ...ofApp,
    ...shared,
    secret,
    keys: await openProductKeys(connection.db),
    passwordCost,
    feed: { trustMs },
  });
  await app.ready();

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await app.close();
      await worker?.stop();
      await connection.close();
    })();
    return closing;
  };
  (TestRunner.getCurrentTest() ? onTestFinished : afterAll)(close);
  return {
    ...connection,
    config,
    app,
    routes: routesOf.get(app) ?? [],
    runJobs,
    sentSms: () => sent,
    async readCode(phone, count = 1) {
      const message = await eventually(async () => {
        await runJobs();
        const found = sent.filter((each) => each.to === phone)[count - 1];
        if (!found) throw new Error(`no SMS number ${count} to ${phone} yet`);
        return found;
      });
      return /\b\d{4}\b/.exec(message.text)?.[0] ?? '';
    },
    client: () => new TestClient(app),
    close,
  };
}

/** The application of a second process on the same database, with its limits on. Close it when the test is done. */
export async function buildSecond({ db, pool, openClient }: TestApi): Promise<FastifyInstance> {
  return buildApp({
    environment: { PUBLIC_URL: undefined, TRUST_PROXY: undefined, RATE_LIMITS: 'on' },
    db,
    pool,
    openClient,
    log: pino({ level: 'silent' }),
    secret,
    keys: await openProductKeys(db),
    passwordCost,
    eventLoopMs: Number.POSITIVE_INFINITY,
  });
}

export interface TestResponse {
  status: number;
  // The tests look into answers of every shape; what they expect is what they check.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  headers: LightMyRequestResponse['headers'];
  raw: Buffer;
}

/** A request that comes in where those of a socket do, in front of Fastify. */
export async function request(app: FastifyInstance, options: InjectOptions): Promise<LightMyRequestResponse> {
  await app.ready();
  return inject((incoming, response) => void app.server.emit('request', incoming, response), options);
}

/**
 * Calls the application as a client with a cookie jar would. Throws where the answer to an endpoint's call is not what the
 * OpenAPI document says of it.
 */
export class TestClient {
  readonly cookies = new Map<string, string>();
  readonly #app: FastifyInstance;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object | string | Buffer | FormData,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const multipart = payload instanceof FormData ? await encode(payload) : undefined;
    // What a test has just written by hand is known by then, as it is to anybody half a second later.
    await this.#app.changeFeed.catchUp();
    const response = await request(this.#app, {
      method,
      url,
      cookies: Object.fromEntries(this.cookies),
      headers: { ...(multipart && { 'content-type': multipart.type }), ...headers },
      ...(payload !== undefined && { payload: multipart?.bytes ?? (payload as object) }),
    });
    const changedCookies = response.cookies.some(({ name, value }) => this.cookies.get(name) !== value);
    for (const cookie of response.cookies) {
      if (cookie.value) this.cookies.set(cookie.name, cookie.value);
      else this.cookies.delete(cookie.name);
    }
    const json = String(response.headers['content-type']).includes('json');
    const answer = {
      status: response.statusCode,
      body: json ? response.json() : response.body,
      headers: response.headers,
      raw: response.rawPayload,
    };
    const endpoint = endpointMetBy.get(response.raw.req);
    if (endpoint) checkAnswer(endpoint, { ...answer, changedCookies });
    return answer;
  }

  get = (url: string, headers?: Record<string, string>) => this.send('GET', url, undefined, headers);
  post = (url: string, body?: object, headers?: Record<string, string>) => this.send('POST', url, body, headers);
  put = (url: string, body?: object, headers?: Record<string, string>) => this.send('PUT', url, body, headers);
  patch = (url: string, body?: object, headers?: Record<string, string>) => this.send('PATCH', url, body, headers);
  delete = (url: string, headers?: Record<string, string>) => this.send('DELETE', url, undefined, headers);
}

async function encode(form: FormData): Promise<{ type: string; bytes: Buffer }> {
  const response = new Response(form);
  return {
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
