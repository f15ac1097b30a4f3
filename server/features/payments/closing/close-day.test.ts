import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeDay, type DayLine } from './close-day.ts';

const from = new Date('2026-11-24T00:00:00Z');
const to = new Date('2026-11-25T00:00:00Z');
const opening = 5_000_000_00;

interface Move {
  francs: number;
  isOut: boolean;
  /** Since the move before. */
  seconds: number;
  fee: number | null;
  /** Where it stands among lines of its time. */
  id: number;
}
const moves = (part: Partial<{ [Name in keyof Move]: fc.Arbitrary<Move[Name]> }>, most = 60) =>
  fc.array(
    fc.record({
      francs: fc.integer({ min: 50, max: 9_000 }),
      isOut: fc.boolean(),
      seconds: fc.integer({ min: 60, max: 900 }),
      fee: fc.constantFrom(null, 37, 1_013),
      id: fc.constant(0),
      ...part,
    }),
    { minLength: 3, maxLength: most },
  );

/** The lines of these moves in their true order, after one of the day before that tells the opening balance. */
function linesOf(all: readonly Move[], takesFees = true): DayLine[] {
  let [time, balanceAfter] = [from.getTime() + 8 * 3_600_000, opening];
  const lines = all.map(({ francs, isOut, seconds, fee, id }, place): DayLine => {
    time += seconds * 1_000;
    balanceAfter += (isOut ? -1 : 1) * francs * 100 - (takesFees ? (fee ?? 0) : 0);
    const paidAt = new Date(Math.floor(time / 60_000) * 60_000);
    const direction = isOut ? 'out' : 'in';
    return { id: id * 1_000 + place + 2, paidAt, reference: `R${place}`, direction, gross: francs, fee, balanceAfter };
  });
  const before = new Date(from.getTime() - 7_200_000);
  const first = { id: 1, paidAt: before, reference: 'R', fee: null, balanceAfter: opening };
  return [{ ...first, direction: 'in', gross: 1 }, ...lines];
}
const close = (lines: readonly DayLine[]) => closeDay(lines, { from, to });
const places = (lines: readonly DayLine[]) => close(lines).gaps.map(({ before, after }) => [before.id, after.id]);

test('a day that is whole has no gap, whatever order its minutes and its balances come in, and its sums are its balances', () => {
  // Few amounts, so that a balance comes again; several in a minute.
  const small = { francs: fc.integer({ min: 1, max: 3 }), seconds: fc.nat(40), fee: fc.constant(null), id: fc.nat(9) };
  fc.assert(
    fc.property(moves(small), (all) => {
      const lines = linesOf(all);
      const { first, last, in: came, out, outside, gaps } = close(lines);
      expect(gaps).toEqual([]);
      expect([first, last]).toEqual([opening, lines.at(-1)?.balanceAfter]);
      expect(opening + came - out).toBe(last);
      expect(outside.count).toBe(0);
    }),
  );
});

test('without a balance of before its sums are its balances, too', () => {
  fc.assert(
    fc.property(moves({}), fc.boolean(), (all, takesFees) => {
      const { first, last, in: came, out, gaps, outside } = close(linesOf(all, takesFees).slice(1));
      expect([first, last]).toEqual([opening, linesOf(all, takesFees).at(-1)?.balanceAfter]);
      expect([gaps.length, outside.count, opening + came - out]).toEqual([0, 0, last]);
    }),
  );
});

test.each([
  ['in their order', {}],
  ['several in a minute, in any order', { isOut: fc.constant(false), seconds: fc.nat(40), id: fc.nat(9) }],
])('two lines that are taken away leave these two places, or one for neighbours, and no other: %s', (_, part) => {
  fc.assert(
    fc.property(moves(part), fc.nat(), fc.nat(), fc.boolean(), (all, one, other, takesFees) => {
      const lines = linesOf(all, takesFees);
      fc.pre(new Set(lines.map(({ balanceAfter }) => balanceAfter)).size === lines.length);
      const gone = new Set([1 + (one % all.length), 1 + (other % all.length)]);
      const kept = lines.filter((_, place) => !gone.has(place));
      const expected = kept.flatMap((line, place) => {
        const before = kept[place - 1];
        return before && lines.indexOf(line) - lines.indexOf(before) > 1 ? [[before.id, line.id]] : [];
      });
      expect(places(kept)).toEqual(expected);
      const { first, last, in: came, out, gaps } = close(kept);
      const missing = gaps.reduce((sum, each) => sum + each.missing, 0);
      expect((first ?? 0) + came - out + missing).toBe(last);
    }),
  );
});

test('lines without a balance count towards the next one; those after the last balance stand outside', () => {
  fc.assert(
    fc.property(
      moves({ fee: fc.constant(null) }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      (all, isTold) => {
        const lines = linesOf(all).map((line, place) =>
          place === 0 || isTold[place] ? line : { ...line, balanceAfter: null },
        );
        const { gaps, outside } = close(lines);
        expect(gaps).toEqual([]);
        expect(outside.count).toBe(lines.length - 1 - lines.findLastIndex(({ balanceAfter }) => balanceAfter !== null));
      },
    ),
  );
});

const line = (id: number, minute: string, fields: Partial<DayLine>): DayLine => ({
  id,
  paidAt: new Date(`2026-11-24T${minute}:00Z`),
  reference: null,
  direction: 'in',
  gross: 100,
  fee: null,
  balanceAfter: null,
  ...fields,
});

test.each<[what: string, lines: DayLine[], expected: object]>([
  ['no line at all', [], { first: null, last: null, in: 0, out: 0, gaps: [] }],
  [
    'a wallet that tells no balance',
    [line(1, '08:00', {}), line(2, '09:00', {})],
    { last: null, in: 20_000, outside: { count: 0, sum: 0 } },
  ],
  [
    'no balance of before: it begins with what the first line found',
    [line(1, '08:00', { balanceAfter: 50_000 }), line(2, '09:00', { balanceAfter: 60_000 })],
    { first: 40_000, last: 60_000, in: 20_000, outside: { count: 0, sum: 0 }, gaps: [] },
  ],
  [
    'no balance of before, a line without one, and fees that the wallet takes from elsewhere',
    [
      line(1, '08:00', {}),
      line(2, '08:30', { fee: 100, balanceAfter: 50_000 }),
      line(3, '09:00', { fee: 100, balanceAfter: 60_000 }),
    ],
    { first: 30_000, last: 60_000, in: 30_000, outside: { count: 0, sum: 0 }, gaps: [] },
  ],
  [
    'a fee alone, a reversal, and balances with four decimals',
    [
      line(1, '08:00', { balanceAfter: 1_000_000 }),
      line(2, '08:20', { direction: 'fee', gross: 1, fee: 43, balanceAfter: 999_957 }),
      line(3, '08:40', { direction: 'reversal', gross: 50, balanceAfter: 994_957 }),
      line(4, '09:00', { direction: 'out', gross: 500, fee: 499, balanceAfter: 944_457 }),
    ],
    { last: 944_457, out: 43 + 5_000 + 50_499, gaps: [] },
  ],
  [
    'a clock that is minutes off, also past midnight',
    [
      line(1, '23:50', { balanceAfter: 30_000 }),
      line(2, '23:59', { balanceAfter: 50_000 }),
      { ...line(3, '00:00', { balanceAfter: 40_000 }), paidAt: new Date(to.getTime() + 120_000) },
    ],
    { last: 50_000, gaps: [] },
  ],
  [
    'what left without a message',
    [line(1, '08:00', { balanceAfter: 90_000 }), line(2, '09:00', { balanceAfter: 40_000 })],
    { gaps: [expect.objectContaining({ missing: -60_000 })] },
  ],
])('%s', (_, lines, expected) => {
  expect(close(lines)).toMatchObject(expected);
});
