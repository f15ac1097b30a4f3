import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoment, formatUsualTime, formatWait } from './waiting.ts';

const secondsOf: Record<string, number> = { min: 60, h: 3_600, jour: 86_400, jours: 86_400 };
/** What words such as 'en 12 min' promise, in seconds. */
function promised(words: string): number {
  const [, count, unit = ''] = /^(?:en )?(\d+|un)\s(min|h|jours?)$/.exec(words) ?? [];
  return (count === 'un' ? 1 : Number(count)) * (secondsOf[unit] ?? Number.NaN);
}
const anyTime = fc.integer({ min: 0, max: 400 * 86_400 });

describe('a usual time', () => {
  test.each([
    [0, 'en 1 min'],
    [61, 'en 2 min'],
    [12 * 60, 'en 12 min'],
    [15 * 60 + 1, 'en 20 min'],
    [55 * 60 + 1, 'en 1 h'],
    [12 * 3_600, 'en 12 h'],
    [12 * 3_600 + 1, 'en un jour'],
  ])('of %d seconds is %j', (seconds, words) => {
    expect(formatUsualTime(seconds)).toBe(words.replace(/(?<=\d) /, '\u00a0'));
  });

  test('never promises less than it is, nor much more', () => {
    fc.assert(
      fc.property(anyTime, (seconds) => {
        expect(promised(formatUsualTime(seconds))).toBeGreaterThanOrEqual(seconds);
        expect(promised(formatUsualTime(seconds))).toBeLessThanOrEqual(2 * seconds + 60);
      }),
    );
  });
});

test.each([
  ['2026-11-21T11:05:00.000Z', 'à 11:05'],
  ['2026-11-20T16:49:00.000Z', 'hier à 16:49'],
  ['2026-11-14T16:49:00.000Z', 'le samedi 14 novembre à 16:49'],
])('%s was %s', (instant, words) => {
  const local = (text: string) => text.replace('Z', '');
  expect(formatMoment(local(instant), Date.parse(local('2026-11-21T12:00:00.000Z'))).replace('\u00a0', ' ')).toBe(
    words,
  );
});

describe('a wait', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const since = (seconds: number) => formatWait(new Date(now - seconds * 1000).toISOString(), now);

  test.each([
    [-90, "moins d'une minute"],
    [59, "moins d'une minute"],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [86_399, '23 h'],
    [86_400, 'un jour'],
  ])('of %d seconds is %j', (seconds, words) => {
    expect(since(seconds)).toBe(words.replace(/(?<=\d) /, '\u00a0'));
  });

  test('is never said to be longer than it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 400 * 86_400 }), (seconds) => {
        expect(promised(since(seconds))).toBeLessThanOrEqual(seconds);
      }),
    );
  });
});
