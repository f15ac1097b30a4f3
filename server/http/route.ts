import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { encode } from 'zod/mini';
import { type Endpoint, takesSomething } from '#contract/endpoint.ts';
import { failureBody } from '#contract/failure.ts';
import type { AnswerCache } from '#server/cache/answer-cache.ts';
import type { ChangeFeed } from '#server/cache/change-feed.ts';
import type { AuditedWrite } from './audited-write.ts';
import { whileArriving } from './connections.ts';
import { type CallerFor, recheckAccess, requireAccess } from './guards.ts';
import { answerKept, topicsToKeep } from './kept-answer.ts';
import { httpLimits } from './limits.ts';
import { type CountUpload, readUpload } from './upload.ts';

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
