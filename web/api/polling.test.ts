import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { drawPace, pollSpread } from './polling.ts';

afterEach(() => vi.restoreAllMocks());

test('a pace is within the spread, and on average that of P23.1', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (drawn) => {
      vi.spyOn(Math, 'random').mockReturnValue(drawn);
      const pace = drawPace();
      vi.spyOn(Math, 'random').mockReturnValue(1 - drawn);
      expect(Math.abs(pace - 1)).toBeLessThanOrEqual(pollSpread + Number.EPSILON);
      expect(pace + drawPace()).toBeCloseTo(2, 12);
    }),
  );
});
