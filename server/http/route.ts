import type {} from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { encode, safeParse } from 'zod/mini';
import {
  type Endpoint,
  hasETag,
  idempotencyKeyForm,
  idempotencyKeyLength,
  takesSomething,
  type Upload,
} from '#contract/endpoint.ts';
import { Failure, failureBody } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { statementBytes, statementTooLarge } from '#contract/payment-feed.ts';
import { type AnswerCache, describeBody, matches, type Reader, takesGzip } from '#server/cache/answer-cache.ts';
import type { ChangeFeed } from '#server/cache/change-feed.ts';
import { httpLimits } from '#server/process/limits.ts';
import type { AuditedWrite } from './audited-write.ts';
import { whileArriving } from './connections.ts';
import { invalid, issuesOf } from './failures.ts';
import { type Caller, type CallerFor, recheckAccess, requireAccess } from './guards.ts';

/** A handler's arguments: the validated parts of its endpoint, and a caller with access. */
export interface HandlerContext<E extends Endpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  caller: CallerFor<E['access']>;
  /** Runs a write together with its row in the audit log. */
  write: AuditedWrite;
  /** The uploaded file's bytes, if the endpoint takes one, and the sender's name for it. */
  file: Buffer | undefined;
  fileName: string | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<E extends Endpoint> = (call: HandlerContext<E>) => Promise<z.output<E['response']>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyInstance {
    /** The feed of changes; a write's answer waits until it has read that write. */
    changeFeed: ChangeFeed;
    answers: AnswerCache;
  }
}

/** Counts a file that a person uploaded, before it is processed. Throws TOO_MANY. */
export type CountUpload = (userId: number) => Promise<void>;

interface RouteOptions {
  /**
   * Sends the handler's answer without validating its shape. For hot reads whose function names each field, never for one that spreads a
   * row. Tests check every answer against its schema.
   */
  skipResponseEncoding?: true;
  /** Required for an endpoint that takes a file. */
  countUpload?: CountUpload;
}

/**
 * Serves an endpoint of the contract; the only bridge to Fastify. In order: access, before the body is read; shape; access again;
 * handler. The response schema drops undeclared fields, unless the route skips it. A read's answer is cached until its topics change
 * (`server/cache/`). A write's answer waits until this process has read its changes.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  { skipResponseEncoding, countUpload }: RouteOptions = {},
): void {
  const { upload } = endpoint;
  if (upload && !countUpload) throw new Error(`nobody counts the files of ${endpoint.operation}`);
  const status = endpoint.status ?? 200;
  const takesJson = !upload && takesSomething(endpoint.body);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // A HEAD would run the handler with its effects, so only health checks answer it: monitors use it.
    exposeHeadRoute: endpoint.path.startsWith('/api/health/'),
    // helmet's headers are for documents.
    helmet: false,
    ...(upload && { handlerTimeout: httpLimits.uploadHandlerMs }),
    ...(endpoint.download && { handlerTimeout: httpLimits.downloadMs }),
    ...(endpoint.bodyBytes && { bodyLimit: endpoint.bodyBytes }),
    schema: {
      params: endpoint.params,
      querystring: endpoint.query,
      ...(takesJson && { body: endpoint.body }),
      response: { ...(!endpoint.download && { [status]: endpoint.response }), '4xx': failureBody },
    },
    onRequest: async (request) => {
      await requireAccess(request, endpoint.access);
    },
    handler: async (request, reply) => {
      const uploaded = upload && (await whileArriving(request, readUpload(request, { ...endpoint, upload })));
      const requireNow = endpoint.method === 'GET' ? requireAccess : recheckAccess;
      const caller = await requireNow(request, endpoint.access as E['access']);
      if (uploaded?.file && caller) await countUpload?.(caller.userId);
      reply.code(status);
      if (endpoint.download) reply.type(endpoint.download.type);
      // The audit log reads the fields from the body.
      if (uploaded) request.body = uploaded.body;
      const { params, query, body } = request;
      // The validator compiler has parsed these with the endpoint's schemas.
      const write: AuditedWrite = (work) => request.write(work);
      const { file, fileName } = uploaded ?? {};
      const call = { params, query, body, file, fileName, caller, write, request, reply } as HandlerContext<E>;
      if (endpoint.method !== 'GET') return handler(call).finally(() => app.changeFeed.catchUpAndTell());
      const person = endpoint.looksAtSession ? await request.findCaller() : caller;
      const topics = topicsToKeep(endpoint, params as Record<string, unknown>, person);
      if (!topics) return handler(call);
      const reader = endpoint.access === 'anyone' && !endpoint.looksAtSession ? 'everyone' : (person?.userId ?? 0);
      return answerKept(app.answers, { endpoint, reader, person, topics, request, reply }, async () => {
        const result = await handler(call);
        return JSON.stringify(skipResponseEncoding ? result : encode(endpoint.response, result));
      });
    },
  });
}

/** The topics of a cached read, including the caller's rights; undefined for files and audited reads. */
function topicsToKeep(
  endpoint: Endpoint,
  params: Record<string, unknown>,
  caller: Caller | undefined,
): string[] | undefined {
  const { topics = [], audit, access } = endpoint;
  if (!hasETag(endpoint) || audit) return undefined;
  const names: Record<string, unknown> = { ...params, callerId: caller?.userId, sid: caller?.sid };
  const rights = access === 'anyone' ? [] : (['user:{callerId}'] as const);
  const filled = [...topics, ...rights].map((topic) =>
    topic.replace(/\{(\w+)\}/, (_, name) => String(names[name] ?? '')),
  );
  return [...new Set(filled)];
}

interface Read {
  endpoint: Endpoint;
  reader: Reader;
  person: Caller | undefined;
  topics: readonly string[];
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers from the cache, or with the result of `make`; 304 to a client that has the same answer. */
async function answerKept(
  answers: AnswerCache,
  { endpoint, reader, person, topics, request, reply }: Read,
  make: () => Promise<string>,
): Promise<FastifyReply> {
  const compress = takesGzip(request.headers['accept-encoding']);
  const known = (etag: string) => matches(request.headers['if-none-match'], etag);
  // If the caller's rights changed since they were read, the answer is not cached.
  const holds = !person || request.callerUnchanged(person);
  const url = holds ? plainUrl(endpoint, request) : undefined;
  const kept = url === undefined ? undefined : answers.find(reader, url);
  const rendering = {
    route: endpoint.path,
    topics,
    compress,
    make: async () => ({
      json: await make(),
      total: reply.getHeader('x-total-count')?.toString(),
      isCapped: reply.hasHeader('x-total-count-capped'),
    }),
  };
  const isEnough = kept !== undefined && (known(kept.etag) || answers.bodyOf(kept, compress) !== undefined);
  answers.counts[isEnough ? 'found' : 'made'] += 1;
  const answer = isEnough
    ? kept
    : await (url === undefined ? answers.make(reader, request.url, rendering) : answers.read(reader, url, rendering));
  reply.removeHeader('x-total-count').removeHeader('x-total-count-capped');
  if (known(answer.etag)) return reply.headers({ etag: answer.etag, vary: 'accept-encoding' }).code(304).send();
  const body = answers.bodyOf(answer, compress);
  if (body === undefined) throw new Error('an answer without a body');
  const { text, isPacked } = body;
  return reply.headers(describeBody(answer, body)).send(isPacked ? Buffer.from(text, 'latin1') : text);
}

/** A call's address in one spelling, without ignored parameters, so that its answer is cached once; undefined for a URL with a fragment. */
function plainUrl(
  { path, query }: Endpoint,
  { url, params }: Pick<FastifyRequest, 'url' | 'params'>,
): string | undefined {
  // A fragment ends the path too; no client sends one intentionally.
  if (url.includes('#')) return undefined;
  const named = params as Record<string, unknown>;
  const plain = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(named[name])));
  const at = url.indexOf('?');
  if (at < 0) return plain;
  const shape = 'shape' in query ? (query.shape as object) : {};
  const given = [...new URLSearchParams(url.slice(at + 1))].filter(([name]) => Object.hasOwn(shape, name));
  return given.length > 0 ? `${plain}?${new URLSearchParams(given)}` : plain;
}

/** Reads a multipart body into memory: its validated data field and its one file, up to the size of its kind. Throws a 400 or a 413. */
async function readUpload(
  request: FastifyRequest,
  { upload, body }: Endpoint & { upload: Upload },
): Promise<{ body: unknown; file: Buffer | undefined; fileName: string | undefined }> {
  if (!request.isMultipart()) throw new Failure('MEDIA_TYPE');
  let file: Buffer | undefined;
  let fileName: string | undefined;
  let isEmpty = false;
  let data: unknown;
  const fields: Record<string, unknown> = Object.create(null);
  const isStatement = upload.kind === 'statement';
  try {
    const limits = isStatement ? { fileSize: statementBytes } : undefined;
    for await (const part of request.parts(limits ? { limits } : {})) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname !== upload.fileField) continue;
        if (bytes.length > 0) [file, fileName] = [bytes, part.filename];
        // Browsers send an empty file field as an empty file without a name.
        else isEmpty = Boolean(part.filename);
      } else if (part.fieldname === upload.dataField) data = part.value;
      else fields[part.fieldname] = part.value;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // For images the code's own sentence names the size.
    if (isStatement && code === 'FST_REQ_FILE_TOO_LARGE')
      throw new Failure('FILE_TOO_LARGE', { message: statementTooLarge });
    if (code.startsWith('FST_')) throw error;
    throw new Failure('UPLOAD_MALFORMED');
  }
  if (isEmpty) throw new Failure('FILE_EMPTY');
  if (upload.required && !file) throw new Failure('FILE_MISSING');
  return { body: parseData(upload.dataField ? data : fields, body), file, fileName };
}

function parseData(data: unknown, schema: Endpoint['body']): unknown {
  let parsed: unknown;
  try {
    parsed = typeof data === 'string' ? JSON.parse(data) : data;
  } catch {
    throw new Failure('UPLOAD_MALFORMED');
  }
  const result = safeParse(schema, parsed);
  if (!result.success) throw invalid(issuesOf(result.error));
  return result.data;
}

/** The key that lets a client repeat a call whose answer it lost, if it sent one. Throws INVALID. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKeyForm.test(key))
    throw new Failure('INVALID', { message: failureSentences.idempotencyKey(idempotencyKeyLength) });
  return key;
}

/** Sets the headers with a list's full length; `capped` if counting stopped at `total`. */
export function answerCount(reply: FastifyReply, { total, capped }: { total: number; capped: boolean }): void {
  reply.header('x-total-count', total);
  if (capped) reply.header('x-total-count-capped', 'true');
}
