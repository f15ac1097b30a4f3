import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maximumAmount, parsePrice } from '#contract/money.ts';
import {
  formatAmount,
  formatCalendarDay,
  formatDate,
  formatDayAndHour,
  formatShortCount,
  formatTickets,
} from './formats.ts';

/** The same cases in every run. */
fc.configureGlobal({ seed: 20261121 });

/** French groups thousands with a narrow space that does not break; which one exactly is the platform's. */
const withPlainSpaces = (text: string) => text.replace(/\s/g, ' ');

describe('an amount', () => {
  test.each([
    [0, '0 FCFA'],
    [25, '25 FCFA'],
    [1025, '1 025 FCFA'],
    [20_000_000, '20 000 000 FCFA'],
  ])('of %d francs is %j', (francs, expected) => {
    expect(withPlainSpaces(formatAmount(francs))).toBe(expected);
  });

  test('never breaks inside its number, and is read back as what it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maximumAmount }), (francs) => {
        expect(formatAmount(francs).split(' ')).toEqual([expect.any(String), 'FCFA']);
        expect(parsePrice(formatAmount(francs))).toBe(francs);
      }),
    );
  });
});

describe("an instant is shown in the phone's own time zone", () => {
  // Made from local time, so that the expectation holds in whichever zone the test runs.
  const at = (...parts: [year: number, month: number, day: number, hour: number, minute: number]) =>
    new Date(...parts).toISOString();

  test.each([
    [at(2026, 10, 21, 14, 5), '21 novembre 2026 à 14:05', '21/11/2026', '14:05'],
    [at(2026, 0, 1, 0, 0), '1 janvier 2026 à 00:00', '01/01/2026', '00:00'],
    [at(2028, 1, 29, 23, 59), '29 février 2028 à 23:59', '29/02/2028', '23:59'],
  ])('%s', (instant, long, day, hour) => {
    expect(withPlainSpaces(formatDate(instant))).toBe(long);
    expect(formatDayAndHour(instant)).toEqual({ day, hour });
  });

  test('and one that is none is refused rather than shown as something else', () => {
    for (const format of [formatDate, formatDayAndHour]) expect(() => format('hier')).toThrow(RangeError);
  });
});

test.each([
  ['2026-11-14', '14 novembre', '14 nov.', 'samedi 14 novembre', 'sam. 14 nov.'],
  ['2026-11-01', '1er novembre', '1er nov.', 'dimanche 1er novembre', 'dim. 1er nov.'],
])('the day %s of the calendar, in any time zone', (day, long, short, longWithWeekday, shortWithWeekday) => {
  expect(formatCalendarDay(day)).toEqual({ long, short, longWithWeekday, shortWithWeekday });
});

test.each([
  [0, '0 ticket', '0'],
  [1, '1 ticket', '1'],
  [1932, '1 932 tickets', '1,9 k'],
  [1_500_000, '1 500 000 tickets', '1,5 M'],
])('%d counted, at length and for the edge of a chart', (count, tickets, short) => {
  expect(withPlainSpaces(formatTickets(count))).toBe(tickets);
  expect(withPlainSpaces(formatShortCount(count))).toBe(short);
});
