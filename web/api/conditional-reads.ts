import { replaceEqualDeep } from '@tanstack/react-query';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import { ApiError, type InputOf } from './client.ts';
import type { ApiCall } from './use-call.ts';

/**
 * The ETag of an answer is kept beside the object itself, invisible to copies, comparisons and storage. So it belongs to
 * the person and input of that object, and goes with it. A changed copy has none.
 */
const etagKey = Symbol('etag');

export const etagOf = (answer: unknown) => (answer as { [etagKey]?: string } | undefined)?.[etagKey];

/** The same object, with its ETag noted. */
export function withEtag<T>(answer: T, etag: string | null | undefined): T {
  if (etag) Object.defineProperty(answer, etagKey, { value: etag, configurable: true });
  return answer;
}

/** What was read, as the object that was there before when it says the same: nothing is drawn again then. */
export const asBefore = <T>(before: T | undefined, read: T): T =>
  withEtag(replaceEqualDeep(before, read), etagOf(read));

/**
 * Reads an endpoint by which `known` was read before, and answers what it says with its headers; or `same`, and no body comes,
 * when that is what `known` was read from, and nothing was changed in it since. Throws as calls do.
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
    // Whatever it is that is known, the call answers it is.
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
