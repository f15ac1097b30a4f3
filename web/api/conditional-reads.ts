import { replaceEqualDeep } from '@tanstack/react-query';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import { ApiError, type InputOf } from './client.ts';
import type { ApiCall } from './use-call.ts';

/**
 * The ETag of an answer is a symbol property of its object, invisible to copies, comparisons and storage. It belongs to
 * that object's person and input; a changed copy has none.
 */
const etagKey = Symbol('etag');

export const etagOf = (answer: unknown) => (answer as { [etagKey]?: string } | undefined)?.[etagKey];

/** Attaches an ETag to an answer. */
export function withEtag<T>(answer: T, etag: string | null | undefined): T {
  if (etag) Object.defineProperty(answer, etagKey, { value: etag, configurable: true });
  return answer;
}

/** The earlier object if the new answer equals it, so that no component renders again. */
export const asBefore = <T>(before: T | undefined, read: T): T =>
  withEtag(replaceEqualDeep(before, read), etagOf(read));

/**
 * Reads an endpoint again, conditionally on `known`. Returns the answer with its headers, or `same` if `known` is the
 * unmodified current answer. Throws as calls do.
 */
export async function readAgain<E extends Endpoint, Known extends object>(
  call: ApiCall,
  endpoint: E,
  input: InputOf<E>,
  known: Known | undefined,
): Promise<{ answer: ResponseOf<E>; headers: Headers } | { same: Known }> {
  let headers = new Headers();
  const onHeaders = (answered: Headers) => {
    headers = answered;
  };
  const etag = etagOf(known);
  if (known && etag) {
    // The call returns `known`, whatever its type.
    const conditional = { ...input, onHeaders, known: { etag, answer: known as unknown as ResponseOf<E> } };
    const answer = await call(endpoint, conditional);
    return (answer as unknown) === known ? { same: known } : { answer, headers };
  }
  const whole = { ...input, onHeaders };
  const answer = await call(endpoint, whole).catch((error: unknown) => {
    // A 304 to an unconditional call: an intermediary mixed up two answers.
    if (error instanceof ApiError && error.status === 304) return call(endpoint, whole);
    throw error;
  });
  return { answer, headers };
}
