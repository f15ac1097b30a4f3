import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maximumAmount, parsePrice } from '#contract/money.ts';
import {
  formatAmount,
  formatCalendarDay,
  formatCounted,
  formatDate,
  formatDayAndHour,
  formatDayHeading,
  formatRelative,
  formatShortCount,
  formatTotal,
} from './formats.ts';

/** French groups thousands with a non-breaking narrow space; the platform decides which one. */
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

  test('has no place where a line may end, and is read back as what it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maximumAmount }), (francs) => {
        expect(formatAmount(francs)).toMatch(/^[\d\u202f\u00a0]+\u00a0FCFA$/);
        expect(parsePrice(formatAmount(francs))).toBe(francs);
      }),
    );
  });
});

test.each([
  [1050, [{ price: '1 000 FCFA' }], '1 050 FCFA'],
  [0, [{ price: '500 FCFA' }, { price: 'Gratuit' }], 'Gratuit'],
  [0, [{ price: '0 FCFA' }], 'Gratuit'],
  [0, [{ price: 'Sur devis' }], 'Communiqué par un agent'],
  [0, [{ price: null }], 'Communiqué par un agent'],
])('the total %d of the path %j is %j (P8.9)', (francs, path, expected) => {
  expect(withPlainSpaces(formatTotal(francs, path))).toBe(expected);
});

describe("an instant is shown in the phone's own time zone", () => {
  // Built from local time, so that the test passes in any time zone.
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

describe('how long ago an instant was', () => {
  // Local times, so that yesterday is yesterday in any time zone.
  const now = new Date(2026, 10, 21, 14, 5).getTime();

  test.each([
    [[2026, 10, 21, 14, 5, 1], "à l'instant", "a phone's clock behind the server's"],
    [[2026, 10, 21, 14, 4, 1], "à l'instant", 'not yet a minute'],
    [[2026, 10, 21, 14, 4, 0], 'il y a 1 min', 'a minute'],
    [[2026, 10, 21, 13, 5, 1], 'il y a 59 min', 'not yet an hour'],
    [[2026, 10, 21, 13, 5, 0], 'il y a 1 h', 'an hour'],
    [[2026, 10, 21, 0, 0, 0], 'il y a 14 h', 'the first minute of today'],
    [[2026, 10, 20, 23, 59, 59], 'hier', 'the last minute of yesterday'],
    [[2026, 10, 20, 0, 0, 0], 'hier', 'the first minute of yesterday'],
    [[2026, 10, 19, 23, 59, 59], '19 nov.', 'the day before'],
    [[2026, 10, 1, 8, 0, 0], '1er nov.', 'the first of a month'],
    [[2025, 11, 31, 8, 0, 0], '31 déc. 2025', 'another year'],
    [[2026, 10, 22, 14, 5, 0], '22 nov.', 'a clock that is a day wrong'],
  ] as [parts: [number, number, number, number, number, number], expected: string, why: string][])(
    '%j is %j: %s',
    (parts, expected, _why) => {
      expect(withPlainSpaces(formatRelative(new Date(...parts).toISOString(), now))).toBe(expected);
    },
  );
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
  expect(withPlainSpaces(formatCounted(count, 'ticket'))).toBe(tickets);
  expect(withPlainSpaces(formatShortCount(count))).toBe(short);
});

test.each([
  [0, '0 paiement ajouté'],
  [1, '1 paiement ajouté'],
  [2, '2 paiements ajoutés'],
])('%d is an adjective with its noun', (count, words) => {
  expect(withPlainSpaces(formatCounted(count, 'paiement ajouté'))).toBe(words);
});

describe("the heading of a day, in the phone's own time zone", () => {
  // Built from local time, as above.
  const now = new Date(2026, 10, 1, 0, 5);
  test.each([
    [new Date(2026, 10, 1, 0, 0), "Aujourd'hui"],
    [new Date(2026, 9, 31, 23, 59), 'Hier'],
    [new Date(2026, 9, 31, 0, 0), 'Hier'],
    [new Date(2026, 9, 30, 23, 59), 'vendredi 30 octobre'],
    [new Date(2026, 8, 1, 12, 0), 'mardi 1er septembre'],
    [new Date(2025, 10, 1, 12, 0), '1er novembre 2025'],
    [new Date(2025, 11, 21, 12, 0), '21 décembre 2025'],
  ])('of %s is %s', (date, expected) => {
    expect(formatDayHeading(date.toISOString(), now)).toBe(expected);
  });
});
