import { expect, test } from 'vitest';
import { ApiError } from './client.ts';

test.each([
  [409, '{"message":"Le prix a changé."}', 'Conflict', '409: {"message":"Le prix a changé."}'],
  [502, '<html>', 'Bad Gateway', '502: <html>'],
  [503, '', 'Service Unavailable', '503: Service Unavailable'],
])('a refusal of status %d with the body %j (%s) is the error %j', (status, body, statusText, message) => {
  expect(new ApiError(status, body, statusText).message).toBe(message);
});
