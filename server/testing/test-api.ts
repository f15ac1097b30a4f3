import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import inject from 'light-my-request';
import pg from 'pg';
import pino, { type Logger } from 'pino';
import { inject as provided } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { buildApp } from '#server/app.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { fileGateway } from '#server/features/sms/gateways/local.ts';
import { routeThrough, type SmsRoute } from '#server/features/sms/sms-route.ts';
import type { Metrics } from '#server/http/metrics.ts';
import { startWorker, type WorkerTools } from '#server/jobs/worker.ts';
import { passwordCost } from './builders.ts';
import { checkAnswer } from './check-answer.ts';
import { setUpClock } from './database-clock.ts';
import { eventually } from './eventually.ts';
import { templateDatabase } from './global-setup.ts';
import { prepareJobs } from './run-jobs.ts';

export interface TestSms {
  to: string;
  text: string;
  at: string;
}

export interface TestRoute {
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
  sentSms(): TestSms[];
  /** The code of the number's `count`-th message (1 by default); the jobs that are due are run for it. */
  readCode(phone: string, count?: number): Promise<string>;
  /** A caller with its own cookie jar. */
  client(): TestClient;
}

export interface TestApiOptions {
  /** Off by default, as the environment variable RATE_LIMITS=off. The tries per code are always counted. */
  rateLimits?: 'on' | 'off';
  publicUrl?: string;
  /** As TRUST_PROXY; none by default. */
  trustProxy?: string[];
  /** How messages leave; into a file that `sentSms` reads by default. */
  sms?: SmsRoute;
  onOutcome?: WorkerTools['onOutcome'];
  /** Origins that pushes may go to; those of the browsers' makers by default. */
  pushServices?: readonly string[];
  /** Where the application's log goes; nowhere by default. */
  log?: Logger;
  /** Whether a worker runs beside the test, without a schedule; otherwise jobs run where the test has them run. */
  worker?: boolean;
  /** Where requests and messages are counted; nowhere by default. */
  metrics?: Metrics;
  /** Where the database's clock stands until `setClock` sets it; by default it goes as PostgreSQL's own. */
  clock?: string;
  /** How long a statement waits for a lock; long by default, for a turn behind seven others on a busy machine. */
  lockMs?: number;
  /** Time without a turn of the event loop after which calls are refused; endless by default, since machines that test are busy. */
  eventLoopMs?: number;
  /** How long the change feed is trusted without a look, in milliseconds; long by default, since a busy machine looks late. */
  trustMs?: number;
  /** Answers from memory to one address before they count as requests; the product's own by default. */
  answersPerPeriod?: number;
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
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(`create database ${database} ${words}`).finally(() => client.end());
  return { database, config: { ...server, database } };
}

/** The production application on a database of its own. Close it when the file is done. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const server = provided('server');
  const made = options.on ? undefined : await createDatabase(`template ${templateDatabase}`);
  const database = options.on?.database ?? made?.database ?? '';
  if (options.clock) await setUpClock({ ...server, database }, options.clock);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-app-'));
  const smsFile = path.join(folder, 'sms.jsonl');
  const log = options.log ?? pino({ level: 'silent' });
  const connection = connect({ ...server, database }, () => {});
  const { lockMs = 30_000 } = options;
  connection.pool.on(
    'connect',
    (client) =>
      void client.query(
        `set lock_timeout = ${lockMs}; set statement_timeout = ${2 * lockMs}; set idle_in_transaction_session_timeout = 0`,
      ),
  );
  const { metrics } = options;
  const tools: WorkerTools = {
    ...connection,
    sms: options.sms ?? routeThrough(fileGateway(smsFile)),
    onOutcome: options.onOutcome ?? metrics?.countSms,
    log,
    scheduled: false,
    publicUrl: options.publicUrl,
    pushServices: options.pushServices,
    secret,
  };
  const runJobs = await prepareJobs(tools);
  const worker = options.worker ? await startWorker(tools) : undefined;
  const app = await buildApp({
    environment: {
      PUBLIC_URL: options.publicUrl,
      TRUST_PROXY: options.trustProxy,
      RATE_LIMITS: options.rateLimits ?? 'off',
    },
    ...connection,
    log,
    metrics,
    secret,
    passwordCost,
    pushServices: options.pushServices,
    answersPerPeriod: options.answersPerPeriod,
    feed: { trustMs: options.trustMs ?? 60_000 },
    eventLoopMs: options.eventLoopMs ?? Number.POSITIVE_INFINITY,
  });
  await app.ready();

  const sentSms = (): TestSms[] =>
    existsSync(smsFile)
      ? readFileSync(smsFile, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as TestSms)
      : [];

  return {
    ...connection,
    config: { ...server, database },
    app,
    routes: routesOf.get(app) ?? [],
    runJobs,
    sentSms,
    async readCode(phone, count = 1) {
      const message = await eventually(async () => {
        await runJobs();
        const found = sentSms().filter((each) => each.to === phone)[count - 1];
        if (!found) throw new Error(`no SMS number ${count} to ${phone} yet`);
        return found;
      });
      return /\b\d{4}\b/.exec(message.text)?.[0] ?? '';
    },
    client: () => new TestClient(app),
    async close() {
      await app.close();
      await worker?.stop();
      await connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The application of a second process on the same database, with its limits on. Close it when the test is done. */
export function buildSecond({ db, pool, openClient }: TestApi): Promise<FastifyInstance> {
  return buildApp({
    environment: { PUBLIC_URL: undefined, TRUST_PROXY: undefined, RATE_LIMITS: 'on' },
    db,
    pool,
    openClient,
    log: pino({ level: 'silent' }),
    secret,
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
