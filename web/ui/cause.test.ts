import { expect, test } from 'vitest';
import { ApiError, NoAnswer } from '#web/api/client.ts';
import { causeOf } from './cause.ts';

test('no answer may be the fault of either, and is tried again', () => {
  const advice = 'Guichet ne répond pas. Vérifiez votre connexion et réessayez.';
  expect(causeOf(new NoAnswer('no answer'))).toEqual({ advice, isPassing: true });
});

test('what the browser throws itself is not tried again', () => {
  expect(causeOf(new DOMException('not a child', 'NotFoundError'))).toEqual({
    advice: 'Mettez votre navigateur à jour et réessayez.',
    isPassing: false,
  });
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
  const { advice } = causeOf(refusal(404, { code: 'TICKET_NOT_FOUND', message: 'Ticket introuvable.' }));
  expect(advice).toBe('Ticket introuvable.');
});
