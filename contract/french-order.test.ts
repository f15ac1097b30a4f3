import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFrench } from './french-order.ts';

test.each([
  [
    ['Zamtel', 'Électricité', 'Eau'],
    ['Eau', 'Électricité', 'Zamtel'],
  ],
  [
    ['côté', 'cote', 'coté', 'côte'],
    ['cote', 'coté', 'côte', 'côté'],
  ],
  [
    ['Orange', 'moov', 'Airtel', 'Wave'],
    ['Airtel', 'moov', 'Orange', 'Wave'],
  ],
  [
    ['Pack 10', 'Pack 9', 'Pack 100'],
    ['Pack 9', 'Pack 10', 'Pack 100'],
  ],
  [
    ['Œuvre', 'Ocre', 'Ours'],
    ['Ocre', 'Œuvre', 'Ours'],
  ],
  [
    ['Çà', 'Ça', 'Cb'],
    ['Ça', 'Çà', 'Cb'],
  ],
  [
    ['Île', 'Ile', 'Imprimer'],
    ['Ile', 'Île', 'Imprimer'],
  ],
])('%j is sorted as %j', (given, sorted) => {
  expect(given.toSorted(compareFrench)).toEqual(sorted);
});

test('an order is one, whatever the order before', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const sorted = texts.toSorted(compareFrench);
      for (const [index, text] of sorted.slice(1).entries())
        expect(compareFrench(sorted[index] ?? '', text)).toBeLessThanOrEqual(0);
    }),
  );
});
