import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenLine, type OpenTicket, propose } from './matching.ts';

const filedAt = new Date('2026-11-24T08:00:00Z');
const minutesAfter = (minutes: number) => new Date(filedAt.getTime() + minutes * 60_000);

const lineOf = (fields: Partial<OpenLine> = {}): OpenLine => ({
  id: 1,
  accountId: 1,
  country: '+226',
  gross: 1_050,
  plainReference: null,
  ourReference: null,
  payer: null,
  paidAt: minutesAfter(3),
  isSettled: false,
  isTrusted: true,
  isOdd: false,
  ...fields,
});
const ticketOf = (fields: Partial<OpenTicket> = {}): OpenTicket => ({
  id: 101,
  total: 1_050,
  plainReference: null,
  createdAt: filedAt,
  declaredAt: null,
  payers: ['+22670111111'],
  ...fields,
});
const short = (pairs: readonly { lineId: number; ticketId: number; rule: string }[]) =>
  pairs.map(({ lineId, ticketId, rule }) => `${rule} ${lineId}-${ticketId}`).toSorted();

describe('each rule by itself', () => {
  type Case = [string, Partial<OpenLine>, Partial<OpenTicket>, string, 'ticked' | 'sure' | 'doubtful' | 'nothing'];
  const same = { plainReference: 'PP1' };
  const own = { payer: '+22670111111' };
  const cases: Case[] = [
    ['the payer named the ticket', { ourReference: 101 }, {}, 'R0', 'ticked'],
    ['and paid another amount', { ourReference: 101, gross: 1_000 }, {}, 'R3', 'doubtful'],
    ['and the account is of another country', { ourReference: 101, country: '+225' }, {}, 'R0', 'doubtful'],
    ['the declared reference', same, { ...same, declaredAt: minutesAfter(5) }, 'R1', 'ticked'],
    ['without a chained balance', { ...same, isTrusted: false }, same, 'R1', 'sure'],
    ['but of a statement', { ...same, isTrusted: false, isSettled: true }, same, 'R1', 'ticked'],
    ['16 minutes before the filing', { ...same, paidAt: minutesAfter(-16) }, same, 'R1', 'doubtful'],
    [
      '16 minutes after declaring',
      { ...same, paidAt: minutesAfter(21) },
      { ...same, declaredAt: minutesAfter(5) },
      'R1',
      'doubtful',
    ],
    ['from another number', { ...same, payer: '+22670999999' }, same, 'R1', 'doubtful'],
    ['from the end of its number', { ...same, payer: '1111' }, same, 'R1', 'ticked'],
    ['reference equal, amount not', { ...same, gross: 1_000 }, same, 'R3', 'doubtful'],
    ['number and amount, by an SMS', own, {}, 'R2', 'sure'],
    ['number and amount, by a statement', { ...own, isSettled: true }, {}, 'R2', 'ticked'],
    ['with another reference declared', { ...own, plainReference: 'PP2' }, same, 'R2', 'doubtful'],
    ['and the number of another request', { ...own, isSettled: true, ourReference: 999 }, {}, 'R2', 'doubtful'],
    ['of two amounts', { ...same, isOdd: true }, same, 'R1', 'doubtful'],
    ['six minutes before the filing', { ...own, paidAt: minutesAfter(-6) }, {}, '', 'nothing'],
    ['a day and a minute after it', { ...own, paidAt: minutesAfter(24 * 60 + 1) }, {}, '', 'nothing'],
    ['amount and time alone', {}, {}, 'R4', 'doubtful'],
    ['nothing equal', { gross: 2_000 }, {}, '', 'nothing'],
  ];
  test.each(cases)('%s', (_, line, ticket, rule, verdict) => {
    const { sure, doubtful } = propose([lineOf(line)], [ticketOf(ticket)]);
    if (verdict === 'nothing') return expect([sure, doubtful]).toEqual([[], []]);
    if (verdict === 'doubtful') return expect([sure, short(doubtful)]).toEqual([[], [`${rule} 1-101`]]);
    expect(sure).toEqual([expect.objectContaining({ rule, preTicked: verdict === 'ticked' })]);
    expect(sure[0]?.evidence.length).toBeGreaterThan(0);
  });
});

describe('what is contested is not sure', () => {
  const named = { plainReference: 'PP1' };
  test('a reference that two tickets declare, or two lines have', () => {
    expect(propose([lineOf(named)], [ticketOf(named), ticketOf({ ...named, id: 102 })]).sure).toEqual([]);
    expect(propose([lineOf(named), lineOf({ ...named, id: 2 })], [ticketOf(named)]).sure).toEqual([]);
  });

  test('a reference that two tickets declare or two lines have, of whatever amounts', () => {
    const other = { ...named, id: 102, total: 9_000 };
    expect(propose([lineOf({ ...named, isSettled: true })], [ticketOf(named), ticketOf(other)]).sure).toEqual([]);
    const lines = [lineOf({ ...named, isSettled: true }), lineOf({ ...named, id: 2, gross: 9_000 })];
    expect(propose(lines, [ticketOf(named)]).sure).toEqual([]);
  });

  test('a reference that two tickets declare, also where one of them was not paid from its own number', () => {
    const lines = [lineOf({ ...named, payer: '+22670222222', isSettled: true })];
    const tickets = [ticketOf(named), ticketOf({ ...named, id: 102, payers: ['+22670222222'] })];
    expect(propose(lines, tickets).sure).toEqual([]);
  });

  test('nor by weaker evidence: the number does not settle who owns a contested reference', () => {
    const lines = [lineOf({ ...named, payer: '+22670111111' })];
    const tickets = [ticketOf(named), ticketOf({ ...named, id: 102, payers: [] })];
    expect(propose(lines, tickets).sure).toEqual([]);
  });

  test('a line that a request of another amount declares, for a request of its amount and payer', () => {
    const line = lineOf({ ...named, payer: '+22670111111', isSettled: true });
    const declared = ticketOf({ ...named, id: 102, total: 9_000 });
    expect(propose([line], [ticketOf()]).sure).toHaveLength(1);
    expect(propose([line], [ticketOf(), declared]).sure).toEqual([]);
  });

  test('as many lines as tickets of one payer are a group, in their order; one more of either is none', () => {
    const paid = { payer: '+22670111111' };
    const lines = [lineOf({ ...paid, id: 2, paidAt: minutesAfter(5) }), lineOf({ ...paid, id: 1 })];
    const tickets = [ticketOf(), ticketOf({ id: 102, createdAt: minutesAfter(1) })];
    expect(short(propose(lines, tickets).sure)).toEqual(['R2b 1-101', 'R2b 2-102']);
    expect(propose([...lines, lineOf({ ...paid, id: 3 })], tickets).sure).toEqual([]);
    expect(propose(lines, [...tickets, ticketOf({ id: 103 })]).sure).toEqual([]);
  });

  test('a line whose rivals are not all read', () => {
    const crowded = { lines: new Set([1]), tickets: new Set<number>() };
    expect(propose([lineOf(named)], [ticketOf(named)], crowded).sure).toEqual([]);
  });
});

describe('whatever comes in', () => {
  const phone = fc.constantFrom('+22670111111', '+22670222222', null);
  const reference = fc.constantFrom('PP1', 'PP2', 'PP3', null);
  const minutes = fc.integer({ min: -20, max: 60 });
  const line = fc.record({
    gross: fc.constantFrom(1_050, 2_000),
    plainReference: reference,
    payer: phone,
    ourReference: fc.constantFrom(101, 102, null, null, null),
    paidAt: minutes.map(minutesAfter),
    isSettled: fc.boolean(),
    isTrusted: fc.boolean(),
  });
  const ticket = fc.record({
    total: fc.constantFrom(1_050, 2_000),
    plainReference: reference,
    payers: phone.map((each) => (each === null ? [] : [each])),
    createdAt: minutes.map(minutesAfter),
  });
  const day = fc
    .record({ lines: fc.array(line, { maxLength: 6 }), tickets: fc.array(ticket, { maxLength: 6 }) })
    .map((each) => ({
      lines: each.lines.map((fields, place) => lineOf({ ...fields, id: place + 1 })),
      tickets: each.tickets.map((fields, place) => ticketOf({ ...fields, id: 101 + place })),
    }));

  test('each line and each ticket is in one sure pair at most, of one amount, and ticked only for a reason', () => {
    fc.assert(
      fc.property(day, ({ lines, tickets }) => {
        const { sure, doubtful } = propose(lines, tickets);
        expect(new Set(sure.map(({ lineId }) => lineId)).size).toBe(sure.length);
        expect(new Set(sure.map(({ ticketId }) => ticketId)).size).toBe(sure.length);
        for (const { lineId, ticketId, rule, preTicked } of sure) {
          const [of, to] = [lines[lineId - 1] as OpenLine, tickets[ticketId - 101] as OpenTicket];
          expect(of.gross).toBe(to.total);
          if (preTicked) expect(of.isSettled || (of.isTrusted && ['R0', 'R1'].includes(rule))).toBe(true);
        }
        const proposed = new Set(sure.map(({ lineId }) => lineId));
        for (const { lineId } of doubtful) expect(proposed.has(lineId)).toBe(false);
      }),
    );
  });

  test('the order in which they came changes nothing', () => {
    fc.assert(
      fc.property(day, ({ lines, tickets }) => {
        const there = propose(lines, tickets);
        const back = propose(lines.toReversed(), tickets.toReversed());
        expect(short(back.sure)).toEqual(short(there.sure));
        expect(short(back.doubtful)).toEqual(short(there.doubtful));
      }),
    );
  });

  test('a second line with the same reference makes neither sure', () => {
    fc.assert(
      fc.property(day, ({ lines, tickets }) => {
        const twice = lines
          .filter(({ plainReference }) => plainReference !== null)
          .map((each) => ({ ...each, id: each.id + 50 }));
        const { sure } = propose([...lines, ...twice], tickets);
        for (const { lineId, rule } of sure)
          if (rule === 'R1') expect(lines.find(({ id }) => id === lineId % 50)?.plainReference ?? null).toBeNull();
      }),
    );
  });
});
