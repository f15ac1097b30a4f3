import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { readLiveness } from '#contract/health.ts';
import {
  ApiError,
  type Connectivity,
  call,
  makeKey,
  NoAnswer,
  preloadedResponsesName,
  takePreloadedResponse,
} from './client.ts';
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
async function failuresOf(): Promise<{ errors: unknown[]; told: Connectivity[] }> {
  const told: Connectivity[] = [];
  vi.stubGlobal('dispatchEvent', ({ detail }: CustomEvent<Connectivity>) => told.push(detail));
  const signedOut = { answers: new Map(), currentUserId: () => undefined, onSignedOut: () => {} };
  const read: Endpoint = { ...readLiveness, query: z.object({ q: z.string() }) };
  const calls: Promise<unknown>[] = [call(read, { query: { q: 'a' } }, signedOut), download(read, { q: 'a' })];
  const settled = await Promise.allSettled(calls);
  return { errors: settled.map((each) => (each.status === 'rejected' ? each.reason : undefined)), told };
}

test.each(['fetch', 'AbortSignal', 'URLSearchParams'])(
  'a browser without %s is not told to be without a network',
  async (name) => {
    vi.stubGlobal('fetch', async () => new Response('{"status":"live"}'));
    vi.stubGlobal(name, undefined);
    const { errors, told } = await failuresOf();
    const faults = errors.filter((error) => error !== undefined);
    expect(faults.filter((error) => !(error instanceof TypeError || error instanceof ReferenceError))).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
    expect(told.filter((each) => each !== 'answered')).toEqual([]);
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
  expect(told).toEqual(['lost']);
});

test.each<[status: number, body: string, told: Connectivity]>([
  [503, '{"code":"BUSY"}', 'answered'],
  [500, '{"code":"INTERNAL"}', 'down'],
  [502, '<h1>Bad Gateway</h1>', 'down'],
  [511, '<h1>Sign in to this network</h1>', 'lost'],
])('%d with %s is told as %s', async (status, body, expected) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
  const { told } = await failuresOf();
  expect(told).toEqual([expected]);
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

/** A fake server that answers a text with its ETag, and records the ETags of requests. */
function serve() {
  const server = { said: 'un', asked: [] as (string | undefined)[] };
  vi.stubGlobal('dispatchEvent', () => true);
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const etag = `W/"${server.said}"`;
    server.asked.push(headers['if-none-match']);
    if (headers['if-none-match'] === etag) return new Response(null, { status: 304 });
    return new Response(JSON.stringify([server.said]), { headers: { etag, 'x-total-count': '12' } });
  });
  return server;
}

test('what is asked for again is asked by its ETag, and what the server confirms is the very same answer', async () => {
  const server = serve();
  let userId = 7;
  const context = { answers: new Map(), currentUserId: () => userId, onSignedOut: () => {} };
  const read = () => call(readLiveness, {}, context);
  const first = await read();
  expect(first).toMatchObject({ data: ['un'], total: 12 });
  expect(await read()).toBe(first);
  server.said = 'deux';
  const second = await read();
  expect(second.data).toEqual(['deux']);
  expect(await read()).toBe(second);
  // Nobody's answer is confirmed to another person.
  userId = 8;
  expect(await read()).not.toBe(second);
  expect(server.asked).toEqual([undefined, 'W/"un"', 'W/"un"', 'W/"deux"', undefined]);
});

test("an answer that comes after its person has gone is nobody else's", async () => {
  const server = serve();
  let userId: number | undefined = 7;
  const context = { answers: new Map(), currentUserId: () => userId, onSignedOut: () => {} };
  const asked = call(readLiveness, {}, context);
  userId = undefined;
  await asked;
  expect(context.answers.size).toBe(0);
  userId = 7;
  await call(readLiveness, {}, context);
  expect(server.asked).toEqual([undefined, undefined]);
});
