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
