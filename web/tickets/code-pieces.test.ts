import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePieces, codeSize } from './code-pieces.ts';

const code = fc.string({ unit: fc.constantFrom(...'0123456789*#'), maxLength: 80 });

describe('a code to dial', () => {
  test.each([
    ['*144*10*00000000*1050#', ['*', '144*', '10*', '00000000*', '1050#']],
    ['#144#211*00000000*1050#', ['#144#211*', '00000000*', '1050#']],
    ['', []],
  ])('%s ends its lines after a * alone', (whole, pieces) => {
    expect(codePieces(whole)).toEqual(pieces);
  });

  test('keeps every character, in its order, and each of its pieces ends with its only *', () => {
    fc.assert(
      fc.property(code, (whole) => {
        const pieces = codePieces(whole);
        expect(pieces.join('')).toBe(whole);
        for (const piece of pieces.slice(0, -1)) expect(piece.indexOf('*')).toBe(piece.length - 1);
        expect(pieces.at(-1) ?? '').not.toMatch(/\*./);
      }),
    );
  });

  const short = '*144*10*00000000*1050#';
  const long = '*144*10*00000000*1050*00000000#';
  test.each([
    ['all of its size where it has the room', short, 500, 32],
    ['one line for a little of its size', short, 400, 400 / (22 * 0.62)],
    ['all of its size in more lines, where one would make it too small', short, 200, 32],
    ['as much as its longest number takes, where that fills the line', short, 140, 140 / (9 * 0.62)],
    ['two lines for a little of its size', long, 290, 290 / (17 * 0.62)],
  ])('gets %s', (_, whole, room, size) => {
    expect(sizeIn(room, codeSize(whole, '32px'))).toBeCloseTo(size, 1);
  });
});

/** The computed font size in a container of the given pixels, with a text of 16 px. */
function sizeIn(room: number, size: string): number {
  const sum = size.replaceAll('100cqi', String(room)).replaceAll('px', '').replaceAll('calc', '');
  return new Function('min', 'max', `return ${sum}`)(Math.min, Math.max) as number;
}
