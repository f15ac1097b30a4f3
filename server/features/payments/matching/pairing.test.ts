import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { proposalsAtOnce } from '#contract/payments.ts';
import type { ToldLine } from '#server/features/payments/intake/lines.ts';
import { countRows } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildPaymentAccount,
  buildPaymentLine,
  buildTicket,
  buildUser,
} from '#server/testing/builders.ts';
import { fileDeclared, tellByWave, told } from '#server/testing/payment-book.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { matchLimits } from './limits.ts';

let accountId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('truncate payment_accounts cascade; delete from tickets');
  accountId = (await buildPaymentAccount(api.db)).id;
});

const lines = async (query = '') => (await admin.get(`/api/admin/payments${query}`)).body;
const proposals = async () => (await admin.get('/api/admin/payments/proposals')).body;

const fileTicket = (reference?: string) => fileDeclared(api, reference);
const tell = (fields: Partial<ToldLine> = {}) => tellByWave(api, accountId, fields);
const approve = async (lineId: number, ticketId: number) =>
  (await admin.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId }] })).body.results[0];

describe('a declared reference', () => {
  test.each([
    ['T_46HS5COOWE', 'as Wave writes it'],
    ['T 46HS5COOWE', 'with a blank for its line'],
    ['T46HS5COOWE', 'without its line'],
    ['t_46hs5coowe..', 'in lower case, with dots at its end'],
  ])('%s, %s, is that of the payment T_46HS5COOWE', async (typed) => {
    await tell({ reference: 'T_46HS5COOWE' });
    const { id } = await fileTicket(typed);
    expect((await proposals()).sure).toEqual([
      expect.objectContaining({ rule: 'R1', preTicked: true, ticket: expect.objectContaining({ id }) }),
    ]);
  });

  test('finds a request that was filed long before the payment, typed in lower case', async () => {
    await tell({ reference: 'T_46HS5COOWE' });
    const { id } = await fileTicket('t 46hs5coowe');
    await api.pool.query("update tickets set created_at = created_at - interval '3 days'");
    expect((await proposals()).sure).toMatchObject([{ rule: 'R1', ticket: { id } }]);
  });
});

test.each([
  ['PP261124.O800.10000001', 'the letter O for a zero'],
  ['PP261124.0800.1000001', 'a digit too few'],
])('the declared reference %s, with %s, is sure of no payment: the one of its amount is shown', async (typed) => {
  await tell();
  const { id } = await fileTicket(typed);
  const { sure, doubtful } = await proposals();
  expect(sure).toEqual([]);
  expect(doubtful).toMatchObject([{ rule: 'R4', ticket: { id } }]);
  expect(doubtful[0].doubts).toContain('Autre référence que celle déclarée.');
});

describe('the number that one says one paid from (P18.14)', () => {
  test('is a sentence beside a payment from it, and shown to administrators; one that is none is refused', async () => {
    const { id, declare } = await fileTicket();
    expect(await declare({ payerPhone: '12' })).toMatchObject({ status: 400, body: { code: 'PHONE_INVALID' } });
    await tell({ payer: '+22670333333' });
    expect((await proposals()).sure).toEqual([]);
    expect((await declare({ payerPhone: '70 33 33 33' })).status).toBe(200);
    const { sure, doubtful } = await proposals();
    expect(sure).toEqual([]);
    expect(doubtful).toMatchObject([{ rule: 'R4', preTicked: false, ticket: { id } }]);
    expect(doubtful[0].evidence).toContain('Numéro que la personne indique.');
    expect(doubtful[0].doubts).toEqual(["Ce numéro n'est pas vérifié."]);
    expect((await admin.get(`/api/admin/tickets/${id}`)).body.payerPhone).toBe('+22670333333');
  });
});

const minutesAgo = (minutes: number) => new Date(Date.now() - 60_000 * minutes);

describe('what is doubtful hides no pair to be ticked', () => {
  const at = (minutes: number) => ({ accountId, paidAt: minutesAgo(minutes) });
  const file = (userId: number, fields: object = {}) =>
    buildTicket(api.db, userId, { createdAt: minutesAgo(30), ...fields });

  /** Two requests, and more payments of their person than are compared. */
  beforeEach(async () => {
    const { user } = await buildCaller(api);
    for (const _ of [1, 2]) await file(user.id);
    for (let n = 0; n <= matchLimits.lines; n += 1) await buildPaymentLine(api.db, { ...at(10), payer: user.phone });
  });

  test('nor does an earlier payment of its payer, for which the request is out of time', async () => {
    const { user } = await buildCaller(api);
    const { id } = await file(user.id);
    await buildPaymentLine(api.db, { ...at(300), payer: user.phone });
    const line = await buildPaymentLine(api.db, { ...at(20), payer: user.phone });
    expect((await proposals()).sure).toMatchObject([
      { rule: 'R2', preTicked: true, line: { id: line.id }, ticket: { id } },
    ]);
  });

  test('nor do payments of known numbers whose references others claim', async () => {
    const [{ user }, { user: thief }] = [await buildCaller(api), await buildCaller(api)];
    for (let n = 0; n <= proposalsAtOnce; n += 1) {
      const gross = 2_000 + n;
      await file(user.id, { amount: gross, commission: 0, totalPrice: String(gross) });
      await file(thief.id, { paymentReference: `T_${gross}`, paymentDeclaredAt: minutesAgo(5) });
      const told = { gross, payer: user.phone, reference: `T_${gross}` };
      await buildPaymentLine(api.db, { ...at(10), ...told });
    }
    const { id } = await file(user.id);
    const line = await buildPaymentLine(api.db, { ...at(20), payer: user.phone });
    expect((await proposals()).sure).toMatchObject([{ preTicked: true, line: { id: line.id }, ticket: { id } }]);
  });

  test("of a guest's request, by its reference", async () => {
    // Theirs may be the payment as well: its number is that of nobody here.
    await api.pool.query('delete from tickets');
    const guest = await buildUser(api.db, { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false });
    const { id } = await file(guest.id, { paymentReference: 'T_46HS5COOWE', paymentDeclaredAt: minutesAgo(15) });
    const told = { reference: 'T_46HS5COOWE', payer: '+22670333333' };
    const line = await buildPaymentLine(api.db, { ...at(20), ...told });
    expect((await proposals()).sure).toMatchObject([
      { rule: 'R1', preTicked: true, line: { id: line.id }, ticket: { id } },
    ]);
  });
});

describe('a reference that comes again', () => {
  test('having paid a request, it is proposed for no other, and a person is told that it is taken', async () => {
    await tell();
    const first = await fileTicket(told().reference ?? '');
    const [{ line }] = (await proposals()).sure;
    expect(await approve(line.id, first.id)).toMatchObject({ outcome: 'approved' });
    const second = await fileTicket(told().reference ?? '');
    expect(await proposals()).toMatchObject({ sure: [], doubtful: [] });
    expect(await approve(line.id, second.id)).toMatchObject({ outcome: 'refused', code: 'PAYMENT_TAKEN' });
    expect((await admin.get(`/api/admin/tickets/${second.id}`)).body).toMatchObject({
      status: 'pending',
      paymentReferenceUses: 1,
    });
    await api.pool.query("update tickets set payment_declared_at = now() - interval '20 minutes'");
    expect((await proposals()).withoutPayment).toEqual([expect.objectContaining({ id: second.id })]);
  });

  test('on two accounts is two payments, and sure of neither', async () => {
    await tell();
    accountId = (await buildPaymentAccount(api.db)).id;
    await tell();
    await fileTicket(told().reference ?? '');
    expect(await lines()).toHaveLength(2);
    const { sure, doubtful } = await proposals();
    expect([sure.length, doubtful.length]).toEqual([0, 2]);
  });
});

test('lines are found by state, account, time, reference, payer and amount, and answered by pages', async () => {
  const at = (minute: number) => ({ paidAt: new Date(Date.UTC(2026, 10, 24, 8, minute)) });
  const line = (reference: string, fields: Parameters<typeof buildPaymentLine>[1]) =>
    buildPaymentLine(api.db, { accountId, reference, ...fields });
  await line('T_A', { ...at(1), gross: 700, payer: '+22670555123' });
  const { id: last } = await line('T_B', { ...at(2), gross: 800, state: 'announced' });
  await line('T_C', { ...at(3), gross: 900, isIgnored: true });
  await line('T_D', { ...at(4), gross: 1_000, accountId: (await buildPaymentAccount(api.db)).id });
  const found = async (query: string) => (await lines(query)).map(({ reference }: { reference: string }) => reference);
  const cases: [query: string, found: string][] = [
    ['', 'D C B A'],
    ['?state=settled', 'D C A'],
    ['?state=announced', 'B'],
    ['?state=open', 'D B A'],
    ['?state=ignored', 'C'],
    ['?state=matched', ''],
    [`?account=${accountId}`, 'C B A'],
    ['?from=2026-11-24T08:02:00Z&to=2026-11-24T08:03:00Z', 'C B'],
    ['?q=t-c', 'C'],
    ['?q=5123', 'A'],
    ['?q=800', 'B'],
    ['?limit=2', 'D C'],
    [`?cursor=${last}`, 'A'],
  ];
  for (const [query, letters] of cases)
    expect(await found(query), query).toEqual(letters.split(' ').flatMap((letter) => (letter ? [`T_${letter}`] : [])));
});

test('an ignored line is proposed for nothing and paired with nothing, until it no longer is', async () => {
  await tell();
  const { id } = await fileTicket(told().reference ?? '');
  const [{ line }] = (await proposals()).sure;
  const ignore = (ignored: boolean) => admin.post(`/api/admin/payments/lines/${line.id}/ignore`, { ignored });
  expect(await ignore(true)).toMatchObject({ status: 200, body: { isIgnored: true } });
  expect(await proposals()).toMatchObject({ sure: [], doubtful: [], withoutTicket: [] });
  expect(await approve(line.id, id)).toMatchObject({ outcome: 'refused', code: 'PAYMENT_CLOSED' });
  await ignore(false);
  expect(await approve(line.id, id)).toMatchObject({ outcome: 'approved' });
  expect(await ignore(true)).toMatchObject({ status: 409, body: { code: 'PAYMENT_TAKEN' } });
});

/** How an administrator pairs a line with a ticket; answers what became of it. */
const ways = {
  async approval(client: TestClient, lineId: number, ticketId: number) {
    const { status, body } = await client.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId }] });
    const [{ outcome, code }] = status === 200 ? body.results : [{ code: body.code }];
    return outcome === 'approved' ? 'paired' : code;
  },
  async match(client: TestClient, lineId: number, ticketId: number) {
    const { status, body } = await client.post(`/api/admin/payments/lines/${lineId}/match`, { ticketId });
    return status === 200 ? 'paired' : body.code;
  },
};
type Way = keyof typeof ways;

test.each<[one: Way, other: Way]>([
  ['approval', 'approval'],
  ['match', 'match'],
  ['approval', 'match'],
])('of two payments for one ticket, by %s and by %s at once, one pays it and the other is told so', async (...both) => {
  const { user } = await buildCaller(api);
  const other = (await buildAdmin(api)).client;
  for (let turn = 0; turn < 5; turn += 1) {
    const { id: ticketId } = await buildTicket(api.db, user.id);
    const lines = [await buildPaymentLine(api.db), await buildPaymentLine(api.db)];
    const outcomes = await Promise.all(
      both.map((way, index) => ways[way]([admin, other][index] as TestClient, lines[index]?.id ?? 0, ticketId)),
    );
    expect(outcomes.toSorted()).toEqual(['PAYMENT_TAKEN', 'paired']);
    expect(await countRows(api, 'payment_matches', `ticket_id = ${ticketId}`)).toBe(1);
  }
});

test('of an approval and a decision at once, no ticket is decided twice, and a payment that lost stays free', async () => {
  const { user } = await buildCaller(api);
  const other = (await buildAdmin(api)).client;
  for (let turn = 0; turn < 5; turn += 1) {
    const { id: ticketId } = await buildTicket(api.db, user.id);
    const { id: lineId } = await buildPaymentLine(api.db);
    const [outcome, decision] = await Promise.all([
      ways.approval(admin, lineId, ticketId),
      other.patch(`/api/tickets/${ticketId}/status`, {
        status: 'rejected',
        reason: 'Faux',
        expectedStatus: 'pending',
      }),
    ]);
    const isPaid = outcome === 'paired';
    expect([outcome, decision.status]).toEqual(isPaid ? ['paired', 409] : ['STATUS_CHANGED', 200]);
    expect(await countRows(api, 'payment_matches', `line_id = ${lineId}`)).toBe(isPaid ? 1 : 0);
    expect(await countRows(api, 'ticket_events', `ticket_id = ${ticketId}`)).toBe(2);
  }
});

/** How an administrator approves a ticket without a word of a payment; answers the line that pays it. */
const decisions = {
  async 'by itself'(client: TestClient, id: number) {
    const { status, body } = await client.patch(`/api/tickets/${id}/status`, {
      status: 'approved',
      expectedStatus: 'pending',
    });
    return status === 200 ? body.lineId : body.code;
  },
  async 'with others'(client: TestClient, id: number) {
    const tickets = [{ id, expectedStatus: 'pending' }];
    const { body } = await client.post('/api/admin/ticket-decisions', { status: 'approved', tickets });
    return body.results[0].lineId;
  },
};
type Decided = keyof typeof decisions;

describe('an approval, whichever call makes it (P18.9)', () => {
  const read = async (id: number) => (await admin.get(`/api/admin/payments/tickets/${id}`)).body.payment;

  test.each<Decided>(['by itself', 'with others'])('%s pairs the ticket with the payment that is sure', async (way) => {
    await tell();
    const { id } = await fileTicket(told().reference ?? '');
    const [{ line }] = (await proposals()).sure;
    expect(await decisions[way](admin, id)).toBe(line.id);
    expect(await read(id)).toMatchObject({ isMatched: true, rule: 'R1', line: { id: line.id } });
    const { rows: log } = await api.pool.query(
      "select details from audit_log where target = $1 and details ? 'status'",
      [String(id)],
    );
    expect(log).toMatchObject([
      { details: { status: 'approved', before: { status: 'pending' }, line: line.id, rule: 'R1' } },
    ]);
    // Repeated, it changes nothing and says the same.
    expect(await decisions[way](admin, id)).toBe(line.id);
    expect(await countRows(api, 'payment_matches', `ticket_id = ${id}`)).toBe(1);
  });

  test.each<Decided>(['by itself', 'with others'])('%s is alone where no payment is sure', async (way) => {
    await tell();
    const { id } = await fileTicket();
    expect((await proposals()).doubtful).toHaveLength(1);
    expect(await decisions[way](admin, id)).toBeUndefined();
    expect(await read(id)).toBeNull();
    expect(await lines('?state=open')).toHaveLength(1);
  });

  test('of two requests that one payment may be for pairs neither, in whatever order they are decided', async () => {
    const { user } = await buildCaller(api);
    const both = [await buildTicket(api.db, user.id), await buildTicket(api.db, user.id)];
    await buildPaymentLine(api.db, { accountId, payer: user.phone });
    const tickets = both.map(({ id }) => ({ id, expectedStatus: 'pending' }));
    const { body } = await admin.post('/api/admin/ticket-decisions', { status: 'approved', tickets });
    expect(body.results).toEqual(both.map(({ id }) => ({ id, outcome: 'changed' })));
    expect(await lines('?state=open')).toHaveLength(1);
  });

  test('of two requests that one payment may be for is approved with one by a person, whose doubt is kept', async () => {
    const { user } = await buildCaller(api);
    for (let count = 0; count < 2; count += 1) await buildTicket(api.db, user.id);
    await buildPaymentLine(api.db, { accountId, payer: user.phone });
    const [{ line, ticket, doubts }] = (await proposals()).doubtful;
    expect(doubts).toHaveLength(1);
    expect(await approve(line.id, ticket.id)).toMatchObject({ outcome: 'approved' });
    expect((await read(ticket.id)).evidence).toEqual(expect.arrayContaining(doubts));
  });

  test('a rejection pairs nothing, and the payment tells of it; nor does an approval of what was decided before', async () => {
    await tell();
    await tell({ reference: 'PP261124.0800.10000002' });
    const { id } = await fileTicket(told().reference ?? '');
    const rejected = async () =>
      (await lines()).map(({ rejectedTicketId }: { rejectedTicketId: number | null }) => rejectedTicketId);
    for (const [status, ticket] of [
      ['rejected', id],
      ['approved', null],
    ] as const) {
      expect((await admin.patch(`/api/tickets/${id}/status`, { status })).body).not.toHaveProperty('lineId');
      expect(await rejected()).toEqual([null, ticket]);
    }
    expect(await countRows(api, 'payment_matches')).toBe(0);
  });

  test('that was approved without a payment is paired with none by a later approval of a pair', async () => {
    const { id } = await fileTicket(told().reference ?? '');
    await admin.patch(`/api/tickets/${id}/status`, { status: 'approved' });
    await tell();
    const [line] = await lines();
    expect(await approve(line.id, id)).toMatchObject({ outcome: 'refused', code: 'STATUS_CHANGED' });
    expect(await countRows(api, 'payment_matches')).toBe(0);
  });

  test('is all or nothing with its pair', async () => {
    await tell();
    const { id } = await fileTicket(told().reference ?? '');
    await api.pool.query('alter table notifications add constraint none_now check (false) not valid');
    try {
      expect(await decisions['by itself'](admin, id)).toBe('INTERNAL');
    } finally {
      await api.pool.query('alter table notifications drop constraint none_now');
    }
    expect(await countRows(api, 'payment_matches')).toBe(0);
    expect((await admin.get(`/api/admin/tickets/${id}`)).body.status).toBe('pending');
  });

  test.each<[Decided, Decided | Way]>([
    ['by itself', 'by itself'],
    ['by itself', 'with others'],
    ['by itself', 'approval'],
  ])('%s and %s at once are one decision, one pair and one notification', async (one, other) => {
    const { client } = await buildAdmin(api);
    for (let turn = 0; turn < 5; turn += 1) {
      const { user } = await buildCaller(api);
      const { id } = await buildTicket(api.db, user.id);
      const { id: lineId } = await buildPaymentLine(api.db, { accountId, payer: user.phone });
      const second =
        other === 'approval' || other === 'match' ? ways[other](client, lineId, id) : decisions[other](client, id);
      const [paidBy] = await Promise.all([decisions[one](admin, id), second]);
      expect(paidBy).toBe(lineId);
      expect(await countRows(api, 'payment_matches', `ticket_id = ${id}`)).toBe(1);
      expect(await countRows(api, 'ticket_events', `ticket_id = ${id}`)).toBe(2);
      expect(await countRows(api, 'notifications', `related_ticket_id = ${id}`)).toBe(1);
    }
  });

  test('whose payment is given to another request meanwhile is an approval without it, and never pairs it twice', async () => {
    const { client } = await buildAdmin(api);
    for (let turn = 0; turn < 5; turn += 1) {
      const [{ user }, { user: stranger }] = [await buildCaller(api), await buildCaller(api)];
      const { id } = await buildTicket(api.db, user.id);
      const { id: otherId } = await buildTicket(api.db, stranger.id);
      const { id: lineId } = await buildPaymentLine(api.db, { accountId, payer: user.phone });
      const [paidBy, other] = await Promise.all([
        decisions['by itself'](admin, id),
        ways.match(client, lineId, otherId),
      ]);
      expect([paidBy, other]).toEqual(other === 'paired' ? [undefined, 'paired'] : [lineId, 'PAYMENT_TAKEN']);
      expect((await admin.get(`/api/admin/tickets/${id}`)).body.status).toBe('approved');
      expect(await countRows(api, 'payment_matches', `line_id = ${lineId}`)).toBe(1);
    }
  });
});
