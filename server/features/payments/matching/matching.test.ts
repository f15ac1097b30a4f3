import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenLine, type OpenTicket, propose } from './matching.ts';
import { untickedBy } from './ticking.ts';

const filedAt = new Date('2026-11-24T08:00:00Z');
const minutesAfter = (minutes: number) => new Date(filedAt.getTime() + minutes * 60_000);

const lineOf = (fields: Partial<OpenLine> = {}): OpenLine => ({
  id: 1,
  accountId: 1,
  country: '+226',
  paymentTypeId: 11,
  wallet: 'Wave',
  gross: 1_050,
  balanceAfter: 105_000,
  plainReference: null,
  ourReference: null,
  payer: null,
  payerId: null,
  claimants: [],
  paidAt: minutesAfter(3),
  isFresh: false,
  isSettled: false,
  senderMay: true,
  shapeConfirmed: null,
  isOdd: false,
  ...fields,
});
const ticketOf = (fields: Partial<OpenTicket> = {}): OpenTicket => ({
  id: 101,
  total: 1_050,
  plainReference: null,
  createdAt: filedAt,
  declaredAt: null,
  userId: 201,
  verified: '+22670111111',
  said: null,
  paymentTypeId: 11,
  paymentTypeName: 'Wave',
  ...fields,
});
const short = (pairs: readonly { lineId: number; ticketId: number; rule: string }[]) =>
  pairs.map(({ lineId, ticketId, rule }) => `${rule} ${lineId}-${ticketId}`).toSorted();

describe('each rule by itself', () => {
  type Case = [string, Partial<OpenLine>, Partial<OpenTicket>, string, 'sure' | 'doubtful' | 'nothing'];
  const same = { plainReference: 'PP1' };
  const own = { payer: '+22670111111', payerId: 201 };
  const guest = { verified: null };
  const elsewhere = { paymentTypeId: 12, wallet: 'Orange Money' };
  const abroad = { country: '+225' };
  const cases: Case[] = [
    ['the payer named the ticket', { ourReference: 101 }, {}, 'R0', 'sure'],
    ['and paid another amount', { ourReference: 101, gross: 1_000 }, {}, 'R3', 'doubtful'],
    ['and the account is of another country', { ourReference: 101, ...abroad }, {}, 'R0', 'doubtful'],
    ['and of another wallet', { ourReference: 101, ...elsewhere }, {}, 'R0', 'doubtful'],
    ['the declared reference', same, { ...same, declaredAt: minutesAfter(5) }, 'R1', 'sure'],
    ['16 minutes before the filing', { ...same, paidAt: minutesAfter(-16) }, same, 'R1', 'doubtful'],
    [
      '16 minutes after declaring',
      { ...same, paidAt: minutesAfter(21) },
      { ...same, declaredAt: minutesAfter(5) },
      'R1',
      'doubtful',
    ],
    ["from a number that is nobody's here", { ...same, payer: '+22670999999' }, same, 'R1', 'sure'],
    ['also of a guest', { ...same, payer: '+22670999999' }, { ...same, ...guest }, 'R1', 'sure'],
    [
      'from the number of another person here',
      { ...same, payer: '+22670999999', payerId: 202 },
      same,
      'R1',
      'doubtful',
    ],
    [
      'which the person says is theirs',
      { ...same, payer: '+22670999999', payerId: 202 },
      { ...same, said: '+22670999999' },
      'R1',
      'doubtful',
    ],
    [
      'or one that was used for another person',
      { ...same, payer: '+22670999999', claimants: [201, 202] },
      same,
      'R1',
      'doubtful',
    ],
    ['or for the same person', { ...same, payer: '+22670999999', claimants: [201] }, same, 'R1', 'sure'],
    ['from the end of its number', { ...same, payer: '1111' }, same, 'R1', 'sure'],
    ['from the end of another one', { ...same, payer: '2222' }, same, 'R1', 'doubtful'],
    ['from the end of a number, for a guest', { ...same, payer: '2222' }, { ...same, ...guest }, 'R1', 'sure'],
    ['on another wallet', { ...same, ...elsewhere }, same, 'R1', 'doubtful'],
    ['in another country', { ...same, ...abroad }, same, 'R1', 'doubtful'],
    ['of a deleted payment type', { ...same, ...elsewhere }, { ...same, paymentTypeId: null }, 'R1', 'sure'],
    ['on an account without one', { ...same, ...elsewhere, paymentTypeId: null }, same, 'R1', 'sure'],
    ['reference equal, amount not', { ...same, gross: 1_000 }, same, 'R3', 'doubtful'],
    ['of two amounts', { ...same, isOdd: true }, same, 'R1', 'doubtful'],
    ['number and amount', own, {}, 'R2', 'sure'],
    ['on another wallet', { ...own, ...elsewhere }, {}, 'R2', 'doubtful'],
    ['in another country', { ...own, ...abroad }, {}, 'R2', 'doubtful'],
    ['with another reference declared', { ...own, plainReference: 'PP2' }, same, 'R2', 'doubtful'],
    ['and the number of another request', { ...own, ourReference: 999 }, {}, 'R2', 'doubtful'],
    ['six minutes before the filing', { ...own, paidAt: minutesAfter(-6) }, {}, '', 'nothing'],
    ['a day and a minute after it', { ...own, paidAt: minutesAfter(24 * 60 + 1) }, {}, '', 'nothing'],
    ['a number that is merely said', { payer: '+22670999999' }, { said: '+22670999999' }, 'R4', 'doubtful'],
    ['also by a guest', { payer: '+22670999999' }, { ...guest, said: '+22670999999' }, 'R4', 'doubtful'],
    ['amount and time alone', {}, {}, 'R4', 'doubtful'],
    ['on another wallet', elsewhere, {}, '', 'nothing'],
    ['in another country', abroad, {}, '', 'nothing'],
    ['nothing equal', { gross: 2_000 }, {}, '', 'nothing'],
  ];
  test.each(cases)('%s', (_, line, ticket, rule, verdict) => {
    const { sure, doubtful } = propose([lineOf(line)], [ticketOf(ticket)]);
    if (verdict === 'nothing') return expect([sure, doubtful]).toEqual([[], []]);
    const [pair] = [...sure, ...doubtful];
    expect(short([...sure, ...doubtful])).toEqual([`${rule} 1-101`]);
    expect(pair?.evidence).not.toEqual([]);
    // What is not sure says why.
    expect([sure.length, pair?.doubts.length !== 0]).toEqual(verdict === 'sure' ? [1, false] : [0, true]);
  });

  test.each<[string, Partial<OpenLine>, Partial<OpenTicket>, string]>([
    ['the wallet', { ...same, ...elsewhere }, same, 'Payé sur Orange Money, la demande dit Wave.'],
    ['the country', { ...own, ...abroad }, {}, "Le compte est d'un autre pays que la personne."],
    [
      'whose number it is',
      { ...same, payer: '+22670999999', payerId: 202 },
      same,
      "Payé depuis le numéro d'une autre personne inscrite ici.",
    ],
    [
      'that a number is not verified',
      { payer: '+22670999999' },
      { said: '+22670999999' },
      "Ce numéro n'est pas vérifié.",
    ],
  ])('a doubt names %s', (_, line, ticket, sentence) => {
    expect(propose([lineOf(line)], [ticketOf(ticket)]).doubtful[0]?.doubts).toEqual([sentence]);
  });

  test('a number that is said is evidence, and comes first among equal amounts', () => {
    const others = [102, 103].map((id) => ticketOf({ id, userId: id, createdAt: minutesAfter(3) }));
    const said = ticketOf({ said: '+22670999999' });
    const { doubtful } = propose([lineOf({ payer: '+22670999999' })], [...others, said]);
    expect(short(doubtful)).toHaveLength(3);
    expect(doubtful[0]).toMatchObject({
      ticketId: 101,
      evidence: [expect.any(String), 'Numéro que la personne indique.'],
    });
  });
});

describe("a reference that was paid from a number that is nobody's here", () => {
  const line = lineOf({ plainReference: 'PP26112408001', payer: '+22670999999' });
  const claiming = ticketOf({ plainReference: 'PP26112408001' });
  const other = { id: 102, userId: 202, verified: '+22670222222' };
  const verdicts: [string, Partial<OpenTicket>, 'sure' | 'doubtful'][] = [
    ['beside a request of another amount', { total: 2_000 }, 'sure'],
    ['beside one of that amount, for which it may be as well', {}, 'doubtful'],
    ['beside one of another wallet', { paymentTypeId: 12 }, 'sure'],
    ['beside one of another country', { verified: '+22507070707' }, 'sure'],
    ['beside one that was filed too late', { createdAt: minutesAfter(9) }, 'sure'],
    ['beside one with another reference', { plainReference: 'PP26112417335' }, 'sure'],
    ['beside one whose reference has a wrong sign', { plainReference: 'PP26112408O01' }, 'doubtful'],
    ['beside one whose reference lacks a sign', { plainReference: 'PP2611240801' }, 'doubtful'],
    ['beside one of the same person', { userId: 201 }, 'sure'],
    ['beside one that says the number, of whatever amount', { total: 2_000, said: '+22670999999' }, 'doubtful'],
  ];
  test.each(verdicts)('%s', (_, fields, verdict) => {
    const { sure, doubtful } = propose([line], [claiming, ticketOf({ ...other, ...fields })]);
    expect(short(sure)).toEqual(verdict === 'sure' ? ['R1 1-101'] : []);
    if (verdict === 'doubtful')
      expect(doubtful.find(({ ticketId }) => ticketId === 101)?.doubts).toEqual([
        'Une autre demande de ce montant attend : ce paiement peut être pour elle.',
      ]);
  });

  test('is not ticked at once: another request may still be filed for it', () => {
    const [pair] = propose([{ ...line, isFresh: true }], [claiming]).sure;
    expect(pair).toMatchObject({ rule: 'R1', doubts: [expect.stringContaining("Payé à l'instant")] });
    const [own] = propose([{ ...line, isFresh: true, payer: '+22670111111' }], [claiming]).sure;
    expect(own?.doubts).toEqual([]);
  });
});

describe('a sure pair is ticked', () => {
  const balances = (followed: number[], broken: number[] = []) => ({
    followed: new Set(followed),
    broken: new Set(broken),
  });
  test.each<[string, 'R0' | 'R1' | 'R2', Partial<OpenLine>, ReturnType<typeof balances>, RegExp | undefined]>([
    ['of a settled payment', 'R2', { isSettled: true, senderMay: false, balanceAfter: null }, balances([]), undefined],
    ['of an SMS with a reference, whose balance follows', 'R1', {}, balances([1]), undefined],
    ['or a number of a request', 'R0', {}, balances([1]), undefined],
    ['but not of an SMS with neither', 'R2', {}, balances([1]), /ni référence déclarée/],
    ['nor of a pasted one', 'R1', { senderMay: false }, balances([1]), /collé ou saisi/],
    ['nor without a balance', 'R1', { balanceAfter: null }, balances([1]), /ne dit pas de solde/],
    ['nor whose balance follows from no confirmed one', 'R1', {}, balances([]), /ne suit pas un paiement confirmé/],
    [
      'nor while the account has another SMS that follows from nothing',
      'R1',
      {},
      balances([1], [1]),
      /compte ne suit pas/,
    ],
    ['which is another account', 'R1', {}, balances([1], [2]), undefined],
    ['of a shape that was proven', 'R1', { shapeConfirmed: 10 }, balances([1]), undefined],
    [
      'but of one that was not',
      'R1',
      { shapeConfirmed: 9 },
      balances([1]),
      /^Forme apprise.: 9 messages confirmés sur 10\.$/,
    ],
    ['unless it is settled', 'R1', { shapeConfirmed: 0, isSettled: true }, balances([1]), undefined],
  ])('%s', (_, rule, line, told, why) => {
    const doubt = untickedBy({ rule }, lineOf(line), told);
    if (why) expect(doubt).toMatch(why);
    else expect(doubt).toBeUndefined();
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
    const lines = [lineOf({ ...named, payer: '+22670222222', payerId: 202, isSettled: true })];
    const tickets = [ticketOf(named), ticketOf({ ...named, id: 102, userId: 202, verified: '+22670222222' })];
    expect(propose(lines, tickets).sure).toEqual([]);
  });

  test('nor by weaker evidence: the number does not settle who owns a contested reference', () => {
    const lines = [lineOf({ ...named, payer: '+22670111111' })];
    const tickets = [ticketOf(named), ticketOf({ ...named, id: 102, userId: 202, verified: null })];
    const { sure, doubtful } = propose(lines, tickets);
    expect(sure).toEqual([]);
    for (const { doubts } of doubtful) expect(doubts).not.toEqual([]);
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
    // Another person's claim on the number is none.
    const stranger = ticketOf({ id: 103, userId: 203, verified: '+22670333333', said: '+22670111111' });
    expect(propose(lines, [ticketOf(), stranger]).sure).toEqual([]);
    expect(short(propose(lines, [...tickets, stranger]).sure)).toEqual(['R2b 1-101', 'R2b 2-102']);
  });

  test('a line whose rivals are not all read', () => {
    const crowded = { lines: new Set([1]), tickets: new Set<number>(), claimed: new Set<number>() };
    expect(propose([lineOf(named)], [ticketOf(named)], crowded).sure).toEqual([]);
  });
});

describe('whatever comes in', () => {
  const people = [
    { userId: 201, verified: '+22670111111' },
    { userId: 202, verified: '+22670222222' },
    { userId: 203, verified: null },
  ];
  const wallet = fc.constantFrom(11, 12);
  const phone = fc.constantFrom('+22670111111', '+22670222222', '+22670999999', null);
  const reference = fc.constantFrom('PP1', 'PP2', 'PP3', null);
  const minutes = fc.integer({ min: -20, max: 60 });
  const line = fc.record({
    gross: fc.constantFrom(1_050, 2_000),
    plainReference: reference,
    payer: phone,
    paymentTypeId: wallet,
    ourReference: fc.constantFrom(101, 102, null, null, null),
    paidAt: minutes.map(minutesAfter),
    isFresh: fc.boolean(),
  });
  const ticket = fc.record({
    total: fc.constantFrom(1_050, 2_000),
    plainReference: reference,
    person: fc.constantFrom(...people),
    said: phone,
    paymentTypeId: wallet,
    createdAt: minutes.map(minutesAfter),
  });
  const day = fc
    .record({ lines: fc.array(line, { maxLength: 6 }), tickets: fc.array(ticket, { maxLength: 6 }) })
    .map((each) => ({
      lines: each.lines.map((fields, place) => {
        const payerId = people.find(({ verified }) => verified !== null && verified === fields.payer)?.userId ?? null;
        return lineOf({ ...fields, payerId, id: place + 1 });
      }),
      tickets: each.tickets.map(({ person, ...fields }, place) => ticketOf({ ...fields, ...person, id: 101 + place })),
    }));

  test("each line and each ticket is in one sure pair at most, of one amount and wallet, from no other person's number", () => {
    fc.assert(
      fc.property(day, ({ lines, tickets }) => {
        const { sure, doubtful } = propose(lines, tickets);
        expect(new Set(sure.map(({ lineId }) => lineId)).size).toBe(sure.length);
        expect(new Set(sure.map(({ ticketId }) => ticketId)).size).toBe(sure.length);
        for (const { lineId, ticketId, rule } of sure) {
          const [of, to] = [lines[lineId - 1] as OpenLine, tickets[ticketId - 101] as OpenTicket];
          expect([of.gross, of.paymentTypeId]).toEqual([to.total, to.paymentTypeId]);
          if (rule !== 'R0') expect([null, to.userId]).toContain(of.payerId);
          if (rule === 'R2' || rule === 'R2b') expect(of.payer).toBe(to.verified);
        }
        const proposed = new Set(sure.map(({ lineId }) => lineId));
        for (const { lineId, doubts } of doubtful)
          expect([proposed.has(lineId), doubts.length > 0]).toEqual([false, true]);
      }),
    );
  });

  test('what people say of their numbers makes nothing sure', () => {
    fc.assert(
      fc.property(day, ({ lines, tickets }) => {
        const silent = tickets.map((ticket) => ({ ...ticket, said: null }));
        const without = short(propose(lines, silent).sure);
        for (const pair of short(propose(lines, tickets).sure)) expect(without).toContain(pair);
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
