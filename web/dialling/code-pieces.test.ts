import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePieces, codeSize } from './code-pieces.ts';

/** The same cases in every run. */
fc.configureGlobal({ seed: 20261121 });

const code = fc.string({ unit: fc.constantFrom(...'0123456789*#'), maxLength: 80 });

describe('a code to dial', () => {
  test.each([
    ['*144*10*00000000*1050#', ['*', '144*', '10*', '00000000*', '1050#']],
    ['#144#211*00000000*1050#', ['#144#211*', '00000000*', '1050#']],
    ['70123456', ['70123456']],
    ['*100#*', ['*', '100#*']],
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

  test('is as large as it may be while its longest number is no wider than its room', () => {
    expect(codeSize('*144*10*00000000*1050#', '2rem')).toBe('min(2rem, calc(100cqi / 5.58))');
    expect(codeSize('1', '2rem')).toBe('min(2rem, calc(100cqi / 0.62))');
    fc.assert(
      fc.property(code, fc.integer({ min: 100, max: 1_000 }), (whole, room) => {
        const [, divisor] = /100cqi \/ ([\d.]+)/.exec(codeSize(whole, '2rem')) ?? [];
        const size = room / Number(divisor);
        // Of the widest fixed-width faces a character is 0.61 of its height.
        for (const piece of codePieces(whole)) expect(piece.length * 0.61 * size).toBeLessThanOrEqual(room);
      }),
    );
  });
});
