import { expect, test } from 'vitest';
import { commissionWords, gapAbove, rangeNotes } from './commission-ranges.ts';
import type { RangeDraft } from './service-draft.ts';

const range = (minPrice: string, maxPrice: string, commissionValue = '100', commissionType = 'fixed') =>
  ({ minPrice, maxPrice, commissionType, commissionValue }) as RangeDraft;
const plain = (words: string | undefined) => words?.replace(/\s/g, ' ');

test('a gap between ranges is told before the range above it, below the first and above the last too', () => {
  const ranges = [range('500', '5 000'), range('6 000', '10000'), range('10 001', '50 000')];
  expect(rangeNotes(ranges).map(({ gap }) => plain(gap))).toEqual(['De 1 à 499', 'De 5 001 à 5 999', undefined]);
  expect(plain(gapAbove(ranges))).toBe('Au-delà de 50 000');
  expect(gapAbove([...ranges, range('50 001', '')])).toBeUndefined();
});

test('an overlap is told at the later range, with the one that it shares amounts with', () => {
  const notes = rangeNotes([range('1', '50 000'), range('40 000', ''), range('60 000', '70 000')]);
  expect(notes.map(({ overlap }) => plain(overlap))).toEqual([
    undefined,
    'Chevauche la tranche 1, de 1 à 50 000.',
    'Chevauche la tranche 2, à partir de 40 000.',
  ]);
  expect(notes.map(({ gap }) => gap)).toEqual([undefined, undefined, undefined]);
});

test('each range has an example of its own amounts, and one that cannot be read has nothing', () => {
  const notes = rangeNotes([
    range('1', '5 000'),
    range('5 001', '', '2', 'percentage'),
    range('x', ''),
    range('9', '3'),
  ]);
  expect(notes.map(({ example }) => plain(example))).toEqual([
    'pour 1 000 F : 100 F',
    'pour 10 000 F : 200 F',
    undefined,
    undefined,
  ]);
});

test.each([
  ['fixed', 50, '+ 50 FCFA'],
  ['percentage', 2.5, '+ 2,5 %'],
  ['fixed', 0, ''],
  ['range', 0, 'par tranches'],
] as const)('%s of %s is %s', (commissionType, commissionValue, words) => {
  const commissionRanges = [{ minPrice: 1, maxPrice: null, commissionType: 'fixed', commissionValue: 5 } as const];
  expect(plain(commissionWords({ commissionType, commissionValue, commissionRanges }))).toBe(words);
});
