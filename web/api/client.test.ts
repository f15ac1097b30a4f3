import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { readLiveness } from '#contract/health.ts';
import { ApiError, call, makeKey, NoAnswer, preloadedResponsesName, takePreloadedResponse } from './client.ts';
import { download } from './download.ts';
import { requestTimeoutMs } from './limits.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  [409, '{"message":"Le prix a changé."}', 'Conflict', '409: {"message":"Le prix a changé."}'],
  [502, '<html>', 'Bad Gateway', '502: <html>'],
  [503, '', 'Service Unavailable', '503: Service Unavailable'],
])('a refusal of status %d with the body %j (%s) is the error %j', (status, body, statusText, message) => {
  expect(new ApiError(status, body, statusText).message).toBe(message);
});

test('a key is 128 bits that no other one has', () => {
  const keys = Array.from({ length: 1_000 }, makeKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

/** Calls an endpoint in every way that the app does; answers the error of each, and what the offline bar was told. */
async function failuresOf(): Promise<{ errors: unknown[]; told: boolean[] }> {
  const told: boolean[] = [];
  vi.stubGlobal('dispatchEvent', ({ detail }: CustomEvent<boolean>) => told.push(detail));
  const signedOut = { userId: undefined, onSignedOut: () => {} };
  const read: Endpoint = { ...readLiveness, query: z.object({ q: z.string() }) };
  const calls = [read, { ...read, upload: { fileField: 'file' } }].map((endpoint) =>
    call(endpoint, { query: { q: 'a' } }, signedOut),
  );
  calls.push(download(read, { q: 'a' }));
  const settled = await Promise.allSettled(calls);
  return { errors: settled.map((each) => (each.status === 'rejected' ? each.reason : undefined)), told };
}

test.each(['fetch', 'AbortSignal', 'URLSearchParams', 'FormData'])(
  'a browser without %s is not told to be without a network',
  async (name) => {
    vi.stubGlobal('fetch', async () => new Response('{"status":"live"}'));
    vi.stubGlobal(name, undefined);
    const { errors, told } = await failuresOf();
    const faults = errors.filter((error) => error !== undefined);
    expect(faults.filter((error) => !(error instanceof TypeError || error instanceof ReferenceError))).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
    expect(told).not.toContain(false);
  },
);

const brokenBody = () =>
  new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }));

test.each<[what: string, fetch: () => Promise<Response>]>([
  ['no network', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['no answer in time', async () => Promise.reject(new DOMException('signal timed out', 'TimeoutError'))],
  ['an answer that breaks off', async () => brokenBody()],
])('%s is told as no answer', async (_what, fetch) => {
  vi.stubGlobal('fetch', fetch);
  const { errors, told } = await failuresOf();
  for (const error of errors) expect(error).toBeInstanceOf(NoAnswer);
  expect(told).toEqual([false, false]);
});

test('a preloaded response is taken once, by its path and query', () => {
  const answer = Promise.resolve(new Response('[]'));
  vi.stubGlobal(preloadedResponsesName, { '/api/services': answer });
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  expect(takePreloadedResponse('/api/services?parentId=1')).toBeUndefined();
  expect(takePreloadedResponse('/api/services')).toBe(answer);
  expect(takePreloadedResponse('/api/services')).toBeUndefined();
});

test("one that nobody took in time is no longer today's", () => {
  vi.stubGlobal(preloadedResponsesName, { '/api/services': Promise.resolve(new Response('[]')) });
  vi.spyOn(performance, 'now').mockReturnValue(requestTimeoutMs);
  expect(takePreloadedResponse('/api/services')).toBeUndefined();
});

test("without the page's script, as in development, there is none", () => {
  expect(takePreloadedResponse('/api/services')).toBeUndefined();
});
