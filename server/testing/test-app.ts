import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import pino from 'pino';
import { inject, vi } from 'vitest';
import { buildApp } from '#server/app.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { fileProvider, type SmsProvider } from '#server/features/sms/provider.ts';
import { type ImageStore, localImageStore } from '#server/features/uploads/image-store.ts';
import { startWorker } from '#server/worker.ts';
import { templateDatabase } from './global-setup.ts';

export interface TestSms {
  to: string;
  text: string;
  at: string;
}

export interface TestApp extends Connection {
  app: FastifyInstance;
  images: ImageStore;
  imagesFolder: string;
  /** Every message sent so far, oldest first. */
  sentSms(): TestSms[];
  /** The code of the number's `count`-th message (1 by default), as soon as it is sent. */
  readCode(phone: string, count?: number): Promise<string>;
  /** A caller with its own cookie jar. */
  client(): TestClient;
}

export interface TestAppOptions {
  /** Off by default, as the environment variable RATE_LIMITS=off. The tries per code are always counted. */
  rateLimits?: 'on' | 'off';
  publicUrl?: string;
  provider?: SmsProvider;
}

/** The production application on a database of its own, with its SMS worker running. Close it when the file is done. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const server = inject('server');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = async (query: string) => {
    const client = new pg.Client({ ...server, database: 'postgres' });
    await client.connect();
    await client.query(query).finally(() => client.end());
  };
  await admin(`create database ${database} template ${templateDatabase}`);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-app-'));
  const smsFile = path.join(folder, 'sms.jsonl');
  const imagesFolder = mkdtempSync(path.join(folder, 'uploads-'));
  const images = localImageStore(imagesFolder);
  const log = pino({ level: 'silent' });
  const connection = connect({ ...server, database }, () => {});
  const worker = await startWorker({ ...connection, images, provider: options.provider ?? fileProvider(smsFile), log });
  const app = await buildApp({
    environment: { PUBLIC_URL: options.publicUrl, TRUST_PROXY: undefined, RATE_LIMITS: options.rateLimits ?? 'off' },
    ...{ ...connection, images, imagesFolder, log },
    secret: 'a secret of the tests, long enough',
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
    ...{ app, images, imagesFolder, sentSms },
    async readCode(phone, count = 1) {
      const message = await vi.waitFor(
        () => {
          const found = sentSms().filter((each) => each.to === phone)[count - 1];
          if (!found) throw new Error(`no SMS number ${count} to ${phone} yet`);
          return found;
        },
        { timeout: 10_000, interval: 10 },
      );
      return /\b\d{4}\b/.exec(message.text)?.[0] ?? '';
    },
    client: () => new TestClient(app),
    async close() {
      await app.close();
      await worker.stop();
      await connection.close();
      await admin(`drop database ${database} with (force)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface TestResponse {
  status: number;
  // The tests look into answers of every shape; what they expect is what they check.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  headers: LightMyRequestResponse['headers'];
  raw: Buffer;
}

/** Calls the application as a client with a cookie jar would. */
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
    const response = await this.#app.inject({
      method,
      url,
      cookies: Object.fromEntries(this.cookies),
      headers: { ...(multipart && { 'content-type': multipart.type }), ...headers },
      ...(payload !== undefined && { payload: multipart?.bytes ?? (payload as object) }),
    });
    for (const cookie of response.cookies) {
      if (cookie.value) this.cookies.set(cookie.name, cookie.value);
      else this.cookies.delete(cookie.name);
    }
    const json = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      body: json ? response.json() : response.body,
      headers: response.headers,
      raw: response.rawPayload,
    };
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
