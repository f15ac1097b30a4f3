import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapText } from './receipt-image.ts';

const measure = (text: string) => [...text].length;
const wrap = (text: string, width: number) => wrapText(text, width, measure);

test.each([
  ['', 5, []],
  ['Total', 5, ['Total']],
  ["Transfert d'argent → Orange Money", 12, ['Transfert', "d'argent →", 'Orange Money']],
  ['un anticonstitutionnel cas', 8, ['un', 'anticons', 'titution', 'nel cas']],
  ['1\u202f050\u00a0FCFA dus', 10, ['1\u202f050\u00a0FCFA', 'dus']],
  ['💧💧💧', 2, ['💧💧', '💧']],
])('%j in lines of %d', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});

test('no line is wider, and no letter is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      const lines = wrap(text, width);
      for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
  );
});
