import { expect, test } from 'vitest';
import { defaultTextColor } from '#contract/catalogue.ts';
import { contrastWithWhite, readableContrast } from './look-fields.tsx';

test.each([
  ['#000000', 21],
  ['#ffffff', 1],
  ['#777777', 4.48],
  ['#0B6B3A', 6.58],
])('%s has a contrast of %d with white', (color, contrast) => {
  expect(contrastWithWhite(color)).toBeCloseTo(contrast, 1);
});

test('the default colour reads well', () => {
  expect(contrastWithWhite(defaultTextColor)).toBeGreaterThan(readableContrast);
});
