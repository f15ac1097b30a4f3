import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, hasETag } from '#contract/endpoint.ts';
import { type AnswerCache, describeBody, matches, type Reader, takesGzip } from '#server/cache/answer-cache.ts';
import type { Caller } from './guards.ts';

/** The topics of a cached read, including the caller's rights; undefined for files and audited reads. */
export function topicsToKeep(
  endpoint: Endpoint,
  params: Record<string, unknown>,
  caller: Caller | undefined,
): string[] | undefined {
  const { topics = [], audit, access, dependsOnTime } = endpoint;
  if (!hasETag(endpoint) || audit) return undefined;
  const names: Record<string, unknown> = { ...params, callerId: caller?.userId, sid: caller?.sid };
  const rights = access === 'anyone' ? [] : (['user:{callerId}'] as const);
  const time = dependsOnTime ? (['minute'] as const) : [];
  const filled = [...topics, ...rights, ...time].map((topic) =>
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
export async function answerKept(
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
