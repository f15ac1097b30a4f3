import type {} from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { Failure, failureBody } from '#contract/failure.ts';
import { invalid, issuesOf } from './failures.ts';
import { requireCaller, type VisitorFor } from './guards.ts';

/** What a handler gets: the parts of its endpoint, already of their declared shapes, and a caller who may be here. */
export interface Call<E extends Endpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  visitor: VisitorFor<E['caller']>;
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
}

/**
 * Serves an endpoint of the contract: the one bridge from its data to Fastify. In this order: who (before anything of
 * the body is read), shape, then the handler; the response schema drops every field it does not declare.
 */
export function route<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  const status = endpoint.status ?? 200;
  const takesJson = !endpoint.upload && takesSomething(endpoint.body);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // 5 MB take their time on a slow line; the file arrives while the handler runs.
    ...(endpoint.upload && { handlerTimeout: 180_000 }),
    schema: {
      summary: endpoint.summary,
      tags: [endpoint.path.split('/')[2] ?? 'api'],
      params: endpoint.params,
      querystring: endpoint.query,
      ...(takesJson && { body: endpoint.body }),
      response: { [status]: endpoint.response, '4xx': failureBody },
    },
    onRequest: async (request) => {
      await requireCaller(request, endpoint.caller);
    },
    handler: async (request, reply) => {
      const visitor = await requireCaller(request, endpoint.caller as E['caller']);
      const uploaded = endpoint.upload ? await readUpload(request, endpoint) : undefined;
      reply.code(status);
      const { params, query } = request;
      if (uploaded) request.body = uploaded.body;
      const { body } = request;
      // The validator compiler parsed them with the endpoint's own schemas.
      return handler({ params, query, body, file: uploaded?.file, visitor, request, reply } as Call<E>);
    },
  });
}

export function takesSomething(schema: z.ZodMiniType): boolean {
  return !('shape' in schema) || Object.keys(schema.shape as object).length > 0;
}

/**
 * Reads a multipart body: the JSON of its data field, checked, and its one file, held in memory (5 MB at most).
 * Anything malformed is a 400, and nothing is left on the disk.
 */
async function readUpload(request: FastifyRequest, endpoint: Endpoint): Promise<{ body: unknown; file?: Buffer }> {
  const { upload } = endpoint;
  if (!request.isMultipart()) throw new Failure('MEDIA_TYPE');
  let file: Buffer | undefined;
  let data: unknown;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname !== upload?.fileField) continue;
        file = bytes;
      } else if (part.fieldname === upload?.dataField) data = part.value;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_')) throw error;
    throw new Failure('UPLOAD_MALFORMED');
  }
  if (upload?.required && !file?.length) throw new Failure('FILE_MISSING');
  const body = upload?.dataField ? checkData(data, endpoint) : {};
  return { body, ...(file?.length && { file }) };
}

function checkData(data: unknown, endpoint: Endpoint): unknown {
  let parsed: unknown;
  try {
    parsed = typeof data === 'string' ? JSON.parse(data) : data;
  } catch {
    throw new Failure('UPLOAD_MALFORMED');
  }
  const result = safeParse(endpoint.body, parsed);
  if (!result.success) throw invalid(issuesOf(result.error));
  return result.data;
}
