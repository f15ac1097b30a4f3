import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyForm, idempotencyKeyLength } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';

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
