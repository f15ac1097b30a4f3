import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { encode } from 'zod/mini';
import { type Endpoint, hasETag, takesSomething } from '#contract/endpoint.ts';
import { failureBody } from '#contract/failure.ts';
import { type AnswerCache, describeBody, matches, type Reader, takesGzip } from '#server/cache/answer-cache.ts';
import type { ChangeFeed } from '#server/cache/change-feed.ts';
import { RawJson } from '#server/database/raw-json.ts';
import { httpLimits } from '#server/process/limits.ts';
import type { AuditedWrite } from './audited-write.ts';
import { type Caller, type CallerFor, requireAccess, requireAccessStill, requireEntry } from './guards.ts';
import { plainUrl } from './plain-url.ts';
import { readUpload } from './upload.ts';

/** What a handler gets: the parts of its endpoint, already of their declared shapes, and a caller who may be here. */
export interface HandlerContext<E extends Endpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  caller: CallerFor<E['access']>;
  /** Does a write together with its row in the audit log. */
  write: AuditedWrite;
  /** The uploaded file's bytes, where the endpoint takes one. */
  file: Buffer | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<E extends Endpoint> = (
  call: HandlerContext<E>,
) => Promise<z.output<E['response']> | RawJson<z.output<E['response']>>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyInstance {
    /** Hears of changes, which a write's answer waits for. */
    changeFeed: ChangeFeed;
    /** Keeps answers to reads. */
    answers: AnswerCache;
  }
}

/** Counts a file that a person uploaded, before it is processed. Throws TOO_MANY. */
export type CountUpload = (userId: number) => Promise<void>;

interface RouteOptions {
  /**
   * The handler's answer is sent as it is, without another look at its shape: for what is asked for all the time, and made by
   * a function that names each field. Tests hold every answer they get to its schema.
   */
  skipResponseEncoding?: true;
  /** Of an endpoint that takes a file, and of no other. */
  countUpload?: CountUpload;
}

const json = 'application/json; charset=utf-8';

/**
 * Serves an endpoint of the contract: the one bridge from its data to Fastify. In this order: who (before anything of
 * the body is read), shape, who still (a body takes its time), then the handler; the response schema drops every field it does
 * not declare. What a read answers is kept until it changes (`server/cache/`); the answer to a write waits until this process has
 * heard of what it changed.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  { skipResponseEncoding: asItIs, countUpload }: RouteOptions = {},
): void {
  const { upload } = endpoint;
  if (upload && !countUpload) throw new Error(`nobody counts the files of ${endpoint.operation}`);
  const status = endpoint.status ?? 200;
  const takesJson = !upload && takesSomething(endpoint.body);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // Its headers are a document's.
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
      await requireEntry(request, endpoint);
    },
    handler: async (request, reply) => {
      const uploaded = upload && (await readUpload(request, { ...endpoint, upload }));
      const requireNow = endpoint.method === 'GET' ? requireAccess : requireAccessStill;
      const caller = await requireNow(request, endpoint.access as E['access']);
      if (uploaded?.file && caller) await countUpload?.(caller.userId);
      reply.code(status);
      if (endpoint.download) reply.type(endpoint.download.type);
      // The audit log reads the body here.
      if (uploaded) request.body = uploaded.body;
      const { params, query, body } = request;
      // The validator compiler parsed them with the endpoint's own schemas.
      const write: AuditedWrite = (work) => request.write(work);
      const call = { params, query, body, file: uploaded?.file, caller, write, request, reply } as HandlerContext<E>;
      if (endpoint.method !== 'GET') return handler(call).finally(() => app.changeFeed.catchUpAndTell());
      const person = endpoint.looksAtSession ? await request.findCaller() : caller;
      const topics = topicsToKeep(endpoint, params as Record<string, unknown>, person);
      if (!topics) {
        const result = await handler(call);
        return result instanceof RawJson ? reply.type(json).send(result.text) : result;
      }
      const reader = endpoint.access === 'anyone' && !endpoint.looksAtSession ? 'everyone' : (person?.userId ?? 0);
      return answerKept(app.answers, { endpoint, reader, person, topics, request, reply }, async () => {
        const result = await handler(call);
        if (result instanceof RawJson) return result.text;
        return JSON.stringify(asItIs ? result : encode(endpoint.response, result));
      });
    },
  });
}

/**
 * The topics of a read whose answer may be kept, the caller's rights included. Files, answers that change with time, and
 * audited reads are not kept.
 */
function topicsToKeep(
  endpoint: Endpoint,
  params: Record<string, unknown>,
  caller: Caller | undefined,
): string[] | undefined {
  const { topics = [], audit, access } = endpoint;
  if (!hasETag(endpoint)) return undefined;
  if (audit && !(audit.ofOthers && params.userId === caller?.userId)) return undefined;
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

/** Answers from memory, or what `make` makes; 304 to a client that has the same. */
async function answerKept(
  answers: AnswerCache,
  { endpoint, reader, person, topics, request, reply }: Read,
  make: () => Promise<string>,
): Promise<FastifyReply> {
  const compress = takesGzip(request.headers['accept-encoding']);
  const known = (etag: string) => matches(request.headers['if-none-match'], etag);
  // By rights that changed since they were looked up it is made for once; kept, it would be theirs who no longer have them.
  const holds = !person || request.callerHolds(person);
  const url = holds ? plainUrl(endpoint, request) : undefined;
  const kept = url === undefined ? undefined : answers.find(reader, url);
  const making = {
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
    : await (url === undefined ? answers.make(reader, request.url, making) : answers.read(reader, url, making));
  reply.removeHeader('x-total-count').removeHeader('x-total-count-capped');
  if (known(answer.etag)) return reply.headers({ etag: answer.etag, vary: 'accept-encoding' }).code(304).send();
  const body = answers.bodyOf(answer, compress);
  if (body === undefined) throw new Error('an answer without a body');
  const { text, isPacked } = body;
  return reply.headers(describeBody(answer, body)).send(isPacked ? Buffer.from(text, 'latin1') : text);
}
