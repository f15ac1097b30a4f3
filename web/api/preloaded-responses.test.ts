import { afterEach, expect, test, vi } from 'vitest';
import { requestTimeoutMs } from './limits.ts';
import { preloadedResponsesName, takePreloadedResponse } from './preloaded-responses.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
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
