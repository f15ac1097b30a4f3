import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { type Endpoint, takesSomething } from '#contract/endpoint.ts';
import { failureBody } from '#contract/failure.ts';
import { httpLimits } from '#server/process/limits.ts';
import type { AuditedWrite } from './audited-write.ts';
import { type CallerFor, requireAccess } from './guards.ts';
import { readUpload } from './upload.ts';

/** What a handler gets: the parts of its endpoint, already of their declared shapes, and a caller who may be here. */
export interface Call<E extends Endpoint> {
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

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<z.output<E['response']>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** Counts a file that somebody sent, before anything is made of it. Throws TOO_MANY. */
    countUpload(userId: number): Promise<void>;
  }
}

/**
 * Serves an endpoint of the contract: the one bridge from its data to Fastify. In this order: who (before anything of
 * the body is read), shape, then the handler; the response schema drops every field it does not declare.
 */
export function route<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  const { upload } = endpoint;
  const status = endpoint.status ?? 200;
  const takesJson = !upload && takesSomething(endpoint.body);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
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
      const caller = await requireAccess(request, endpoint.access as E['access']);
      const uploaded = upload && (await readUpload(request, { ...endpoint, upload }));
      if (uploaded?.file && caller) await request.countUpload(caller.userId);
      reply.code(status);
      if (endpoint.download) reply.type(endpoint.download.type);
      // The audit log reads the body here.
      if (uploaded) request.body = uploaded.body;
      const { params, query, body } = request;
      // The validator compiler parsed them with the endpoint's own schemas.
      const write: AuditedWrite = (work) => request.write(work);
      return handler({ params, query, body, file: uploaded?.file, caller, write, request, reply } as Call<E>);
    },
  });
}
