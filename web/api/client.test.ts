import { expect, test } from 'vitest';
import { ApiError, makeKey } from './client.ts';

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
