import { afterEach, expect, test, vi } from 'vitest';
import { earlyAnswersName, takeEarlyAnswer } from './early-answers.ts';
import { requestTimeoutMs } from './limits.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('an early answer is taken once, by its path and query', () => {
  const answer = Promise.resolve(new Response('[]'));
  vi.stubGlobal(earlyAnswersName, { '/api/services': answer });
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  expect(takeEarlyAnswer('/api/services?parentId=1')).toBeUndefined();
  expect(takeEarlyAnswer('/api/services')).toBe(answer);
  expect(takeEarlyAnswer('/api/services')).toBeUndefined();
});

test('one that nobody took in time is no longer today’s', () => {
  vi.stubGlobal(earlyAnswersName, { '/api/services': Promise.resolve(new Response('[]')) });
  vi.spyOn(performance, 'now').mockReturnValue(requestTimeoutMs);
  expect(takeEarlyAnswer('/api/services')).toBeUndefined();
});

test('without the page’s script, as in development, there is none', () => {
  expect(takeEarlyAnswer('/api/services')).toBeUndefined();
});
