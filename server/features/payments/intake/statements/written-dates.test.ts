import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contradiction, type StatementClock, swappedDates, type WrittenDate } from './written-dates.ts';

const clock: StatementClock = { country: '+225', now: new Date('2026-11-28T12:00:00Z') };
const date = (paidAt: string, told?: string, text = paidAt.replace('T', ' ')): WrittenDate => ({
  text,
  paidAt: new Date(`${paidAt}:00Z`),
  told: told === undefined ? undefined : new Date(`${told}:00Z`),
});

describe('a date', () => {
  test.each<[string, WrittenDate]>([
    ['of this minute', date('2026-11-28T12:00')],
    ['by a clock that is some minutes ahead', date('2026-11-28T12:09')],
    ['of years ago', date('2019-01-01T08:00')],
    ['of the day that its reference tells', date('2026-11-03T23:00', '2026-11-03T01:00')],
    ['of the other side of midnight', date('2026-11-04T00:20', '2026-11-03T23:55')],
  ])('%s is believed', (_, written) => {
    expect(contradiction(written, clock)).toBeUndefined();
  });

  test.each<[string, WrittenDate, string]>([
    [
      'swapped, against its reference',
      date('2026-03-11T10:00', '2026-11-03T10:00'),
      'La date (11 mars 2026) contredit la référence (3 novembre 2026). Un tableur a sans doute inversé jour et mois.',
    ],
    [
      'of another day than its reference',
      date('2026-11-05T10:00', '2026-11-01T10:00'),
      'La date (5 novembre 2026) contredit la référence (1er novembre 2026).',
    ],
    [
      'swapped into the future',
      date('2026-12-11T10:05'),
      'La date (11 décembre 2026) est dans le futur. Un tableur a sans doute inversé jour et mois.',
    ],
    ['of tomorrow', date('2026-11-29T10:05'), 'La date (29 novembre 2026) est dans le futur.'],
    ['of a quarter of an hour from now', date('2026-11-28T12:15'), 'La date (28 novembre 2026) est dans le futur.'],
  ])('%s is told', (_, written, message) => {
    expect(contradiction(written, clock)).toBe(message);
  });

  test('is on the clock of its country', () => {
    const written = date('2026-11-03T23:30', '2026-11-04T10:00');
    expect(contradiction(written, clock)).toContain('3 novembre 2026');
    expect(contradiction(written, { ...clock, country: '+229' })).toBeUndefined();
  });
});

describe('a column of dates and texts', () => {
  const text = date('2026-11-23T10:10', undefined, '23/11/2026 10:10');

  test('names the dates that a spreadsheet may have swapped, and no others', () => {
    const column = [
      date('2026-03-11T10:00'),
      text,
      // No month, the same swapped, and told by its reference.
      date('2026-11-24T10:00'),
      date('2026-11-11T10:00'),
      date('2026-04-03T14:10', '2026-04-03T14:10'),
    ];
    expect([...swappedDates(column, clock)]).toEqual([
      [
        0,
        "La date (11 mars 2026) n'est pas écrite comme les autres de sa colonne. Un tableur a sans doute inversé jour et mois.",
      ],
    ]);
  });

  test('of one kind names none', () => {
    expect(swappedDates([date('2026-03-11T10:00'), date('2026-04-03T14:10')], clock).size).toBe(0);
    expect(swappedDates([text, text], clock).size).toBe(0);
  });

  test('loses no swapped date: each is named, in the future, or against its reference', () => {
    const days = fc.date({ min: new Date('2025-01-01'), max: new Date('2026-11-28'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.boolean(), (day, isTold) => {
        const [year, month, of = ''] = day.toISOString().slice(0, 10).split('-');
        fc.pre(of <= '12' && of !== month);
        const told = isTold ? `${year}-${month}-${of}T10:00` : undefined;
        const written = date(`${year}-${of}-${month}T10:00`, told);
        const isFound = contradiction(written, clock) !== undefined || swappedDates([written, text], clock).has(0);
        expect(isFound).toBe(true);
      }),
    );
  });
});
