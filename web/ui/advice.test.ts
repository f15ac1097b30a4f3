import { expect, test } from 'vitest';
import { ApiError, NoAnswer } from '#web/api/client.ts';
import { adviceOn, causeOf } from './advice.ts';

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

test.each<[what: string, error: unknown, isPassing: boolean]>([
  ['no answer', new NoAnswer('no answer'), true],
  ['a module that did not come, in Chrome', new TypeError('Failed to fetch dynamically imported module: /a.js'), false],
  ['in Safari', new TypeError('Importing a module script failed.'), false],
  ['a sheet that did not come', new Error('Unable to preload CSS for /a.css'), false],
])('of %s the server or the connection is named', (_what, error, isPassing) => {
  const advice = 'Guichet ne répond pas. Vérifiez votre connexion et réessayez.';
  expect(causeOf(error)).toEqual({ advice, isPassing });
});

const refusal = (status: number, body: object) => new ApiError(status, JSON.stringify(body), '');

test.each([502, 503, 504])('%d is not the fault of the connection, and is tried again', (status) => {
  expect(causeOf(refusal(status, {}))).toEqual({
    advice: "Guichet ne répond pas. Ce n'est pas votre connexion.",
    isPassing: true,
  });
});

test("a fault of ours is named so, with the id of the log and without the server's words", () => {
  const body = { code: 'INTERNAL', message: 'Erreur interne', requestId: 'a1b2c3' };
  expect(causeOf(refusal(500, body))).toEqual({
    advice: "Une erreur est survenue chez nous. Ce n'est pas votre connexion.",
    isPassing: false,
    id: 'a1b2c3',
  });
});

test('another refusal says itself why', () => {
  expect(adviceOn(refusal(404, { code: 'TICKET_NOT_FOUND', message: 'Ticket introuvable.' }))).toBe(
    'Ticket introuvable.',
  );
});
