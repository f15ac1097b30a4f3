import { describe, expect, test } from 'vitest';
import { referenceDoubt } from './payment-references.ts';

const filedAt = '2026-11-22T14:00:00.000Z';
const now = Date.parse('2026-11-22T15:00:00Z');
/** Written as people read it, with plain spaces. */
const doubt = (reference: string) => referenceDoubt(reference, filedAt, now)?.replaceAll('\u00a0', ' ');

describe('a reference that tells its minute', () => {
  test.each([
    ['PP261122.1345.A12345', 'a quarter of an hour before the request'],
    ['pp261122.1404.a12345', 'in lower case'],
    ['PP261122.1515.A12345', 'by a clock that is ahead'],
    ['PP261322.1404.A12345', 'of no month'],
    ['PP261122.2404.A12345', 'of no hour'],
    ['DAT362O1CX', 'that tells none'],
    ['26112214041', 'of digits alone'],
    ['', 'that is empty'],
  ])('%s raises no question: %s', (reference) => {
    expect(doubt(reference)).toBeUndefined();
  });

  test.each([
    [
      'PP261122.1344.A12345',
      'Cette référence est du 22 novembre à 13 h 44, avant votre demande. Est-ce bien la bonne ?',
    ],
    ['MP260501.0905.B1', 'Cette référence est du 1er mai à 9 h 05, avant votre demande. Est-ce bien la bonne ?'],
    ['PP240512.1234.A1', 'Cette référence est du 12 mai 2024 à 12 h 34, avant votre demande. Est-ce bien la bonne ?'],
    ['PP261122.1516.A1', 'Cette référence est du 22 novembre à 15 h 16, dans le futur. Est-ce bien la bonne ?'],
  ])('%s is questioned', (reference, question) => {
    expect(doubt(reference)).toBe(question);
  });
});
