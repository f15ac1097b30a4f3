import type { FastifyRequest } from 'fastify';
import { idempotencyKeyForm, idempotencyKeyLength } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';

/** The key under which a client repeats a call whose answer it lost, if it sent one. Throws INVALID. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKeyForm.test(key))
    throw new Failure('INVALID', { message: failureSentences.idempotencyKey(idempotencyKeyLength) });
  return key;
}
