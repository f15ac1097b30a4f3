import { expect, test } from 'vitest';
import { ApiError, NoAnswer } from '#web/api/client.ts';
import { adviceOn } from './advice.ts';

/** What this Node throws for a call of what does not exist. */
function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const lacking = (name: string) => ({})[name as never] as () => unknown;

test.each<[what: string, error: unknown]>([
  ['a missing method', errorOf(() => lacking('toSorted')())],
  ['a missing global', errorOf(() => new Function('return structuredCopy({})')())],
  ['unread syntax', errorOf(() => new Function('(?<'))],
  ['an unknown option', errorOf(() => new Intl.NumberFormat('fr', { notation: 'none' as 'compact' }))],
  ['a node that a translation took away', new DOMException('not a child', 'NotFoundError')],
])('of %s the browser is named', (_what, error) => {
  expect(adviceOn(error)).toBe('Mettez votre navigateur à jour et réessayez.');
});

test.each<[what: string, error: unknown]>([
  ['no answer', new NoAnswer('no answer')],
  ['a refusal', new ApiError(503, '', 'Service Unavailable')],
  ['a module that did not come, in Chrome', new TypeError('Failed to fetch dynamically imported module: /a.js')],
  ['in Safari', new TypeError('Importing a module script failed.')],
  ['a sheet that did not come', new Error('Unable to preload CSS for /a.css')],
])('of %s the connection is named', (_what, error) => {
  expect(adviceOn(error)).toBe('Vérifiez votre connexion et réessayez.');
});
