import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { drawJitter, pollSpread } from './polling.ts';

afterEach(() => vi.restoreAllMocks());

test('a jitter is within the spread, and on average that of P23.1', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (drawn) => {
      vi.spyOn(Math, 'random').mockReturnValue(drawn);
      const jitter = drawJitter();
      vi.spyOn(Math, 'random').mockReturnValue(1 - drawn);
      expect(Math.abs(jitter - 1)).toBeLessThanOrEqual(pollSpread + Number.EPSILON);
      expect(jitter + drawJitter()).toBeCloseTo(2, 12);
    }),
  );
});
