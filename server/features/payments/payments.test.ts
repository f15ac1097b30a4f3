import { beforeEach, describe, expect, test } from 'vitest';
import { recordLines, type ToldLine } from '#server/features/payment-feed/lines.ts';
import { countRows } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildPaymentAccount,
  buildPaymentLine,
  buildPaymentType,
  buildTicket,
  nextNumber,
} from '#server/testing/builders.ts';
import { openSource, orangeSms, signedByWave, told, waveEvent } from '#server/testing/payment-book.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

let accountId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('truncate payment_accounts cascade; delete from tickets');
  const paymentType = await buildPaymentType(api.db, `Orange Money ${nextNumber()}`);
  const created = await admin.post('/api/admin/payments/accounts', {
    paymentTypeId: paymentType.id,
    country: '+226',
    number: '70 00 00 00',
    label: 'Caisse 1',
    allowedSenders: ['OrangeMoney'],
  });
  expect(created).toMatchObject({ status: 201, body: { messages: 0, sources: [] } });
  accountId = created.body.id;
});

const open = (kind: 'sms' | 'wave' = 'sms', fields: object = {}) => openSource(admin, accountId, kind, fields);
const forward = (path: string, text: string, fields: object = {}) =>
  api.client().post(path, {
    from: 'OrangeMoney',
    text,
    sentStamp: Date.now(),
    receivedStamp: Date.now(),
    sim: 'SIM1',
    ...fields,
  });
const lines = async (query = '') => (await admin.get(`/api/admin/payments${query}`)).body;
const proposals = async () => (await admin.get('/api/admin/payments/proposals')).body;
const hasRead = async (count: number) => {
  await api.runJobs();
  const { rows } = await api.pool.query("select count(*)::int as n from payment_messages where state <> 'waiting'");
  expect(rows[0].n).toBe(count);
};

/** A pending ticket of 1,100 francs of a verified person, declared paid by this reference. */
async function fileTicket({ reference, phone }: { reference?: string; phone?: string } = {}) {
  const { user, client } = await buildCaller(api, phone ? { phone } : {});
  const ticket = await buildTicket(api.db, user.id);
  if (reference)
    expect(await client.post(`/api/tickets/${ticket.id}/payment-declaration`, { reference })).toMatchObject({
      status: 200,
    });
  return { id: ticket.id, user, client };
}

describe('forwarded SMS', () => {
  test('become lines, once each whatever way they come, and no name of the payer is kept', async () => {
    const { path } = await open();
    const text = orangeSms({});
    expect(await forward(path, text)).toMatchObject({ status: 200, body: { received: true } });
    await forward(path, ` ${text}\n`);
    const gateway = {
      event: 'sms:received',
      payload: { sender: 'OrangeMoney', message: text, receivedAt: new Date().toISOString() },
    };
    expect(await api.client().post((await open()).path, gateway)).toMatchObject({ status: 200 });
    await hasRead(1);
    expect(await lines()).toEqual([
      expect.objectContaining({
        accountId,
        direction: 'in',
        state: 'announced',
        gross: 1_100,
        balanceAfter: 9_427_100,
        reference: 'PP261124.0700.10000001',
        payer: '+22670111111',
        inputs: ['sms'],
        ticketId: null,
      }),
    ]);
    const { rows } = await api.pool.query('select * from payment_messages; ');
    expect(JSON.stringify(rows)).not.toContain('SANOU');
  });

  test('of another sender are refused and told; a sign of life is noted; what no pattern knows waits for a person', async () => {
    const { path, id } = await open();
    await forward(path, orangeSms({}), { from: '+22670999999' });
    await forward(path, 'Rendez-vous demain à midi');
    expect(await api.client().post(path, { event: 'system:ping', payload: null })).toMatchObject({ status: 200 });
    await hasRead(2);
    expect(await lines()).toEqual([]);
    const { body: unread } = await admin.get('/api/admin/payments/messages');
    expect(unread).toEqual([
      expect.objectContaining({ text: 'Rendez-vous demain à midi', why: null }),
      expect.objectContaining({ sender: '+22670999999', why: expect.stringContaining('Expéditeur inconnu') }),
    ]);
    const { body: accounts } = await admin.get('/api/admin/payments/accounts');
    expect(accounts[0].sources).toEqual([expect.objectContaining({ id, lastSeenAt: expect.any(String) })]);

    const paid = { accountId, gross: 1_100, reference: 'xx1', payer: '70 22 22 22', paidAt: new Date().toISOString() };
    expect(await admin.post(`/api/admin/payments/messages/${unread[0].id}/payment`, paid)).toMatchObject({
      status: 201,
    });
    expect(await admin.post(`/api/admin/payments/messages/${unread[0].id}/payment`, paid)).toMatchObject({
      status: 409,
      body: { code: 'MESSAGE_READ' },
    });
    expect(await lines()).toEqual([
      expect.objectContaining({ reference: 'XX1', payer: '+22670222222', inputs: ['person'] }),
    ]);
  });
});

describe("Wave's webhook", () => {
  const send = (path: string, secret: string, body: object, at?: number) =>
    api.app.inject(signedByWave(path, secret, body, at));

  test('is signed over time and body, five minutes old at most; gross is amount and fee, and a field may name our ticket', async () => {
    const { path, secret = '' } = await open('wave');
    const { id } = await fileTicket();
    const named = waveEvent({ custom_fields: { account_number: `T${id}` } });
    expect((await send(path, secret, named)).statusCode).toBe(200);
    expect((await send(path, secret, named)).statusCode).toBe(200);
    expect((await send(path, secret, named, Math.floor(Date.now() / 1_000) - 360)).statusCode).toBe(401);
    expect((await send(path, 'un-autre-secret', named)).statusCode).toBe(401);
    const nameless = waveEvent({ id: 'T_0', custom_fields: { account_number: 'T0' }, amount: '50', fee: '0' });
    expect((await send(path, secret, nameless)).statusCode).toBe(200);
    expect((await proposals()).withoutTicket).toEqual([expect.objectContaining({ gross: 50, ourReference: null })]);
    await api.pool.query('delete from payment_lines where gross = 50');
    expect((await send(path, secret, waveEvent({ id: 'T_1', amount: 1089 }))).statusCode).toBe(200);
    await hasRead(1);
    expect((await admin.get('/api/admin/payments/messages')).body).toEqual([
      expect.objectContaining({ sender: 'Wave', text: expect.stringContaining('T_1') }),
    ]);
    expect((await send(path, secret, { id: 'EV_2', type: 'test.test_event', data: {} })).statusCode).toBe(200);
    expect(await lines()).toEqual([
      expect.objectContaining({
        gross: 1_100,
        fee: 1_100,
        state: 'settled',
        ourReference: id,
        reference: 'T_46HS5COOWE',
      }),
    ]);
    expect((await proposals()).sure).toEqual([
      expect.objectContaining({ rule: 'R0', preTicked: true, ticket: expect.objectContaining({ id }) }),
    ]);
  });
});

describe('proposals', () => {
  test('pair by reference; approving is one decision with its match, and the same pair again changes nothing', async () => {
    const { path } = await open();
    await forward(path, orangeSms({ gross: '500.00', balance: '93171.00', reference: 'PP261124.0659.10000000' }));
    await forward(path, orangeSms({ payer: '70333333' }));
    const { id, client, user } = await fileTicket({ reference: 'pp261124.0700.10000001', phone: '+22670333333' });
    await hasRead(2);
    await api.pool.query('update payment_lines set paid_at = now() where gross = 1100');
    const { sure, withoutTicket } = await proposals();
    expect(sure).toEqual([
      expect.objectContaining({
        rule: 'R1',
        preTicked: true,
        evidence: [expect.stringContaining('Référence et montant égaux')],
      }),
    ]);
    expect(withoutTicket).toEqual([expect.objectContaining({ gross: 500 })]);
    expect((await admin.get(`/api/admin/payments/tickets/${id}`)).body.payment).toMatchObject({
      rule: 'R1',
      isMatched: false,
    });
    expect((await admin.get('/api/admin/payments/count')).body).toEqual({ found: 1, unread: 0 });

    const pairs = [{ lineId: sure[0].line.id, ticketId: id }];
    const approve = () => admin.post('/api/admin/payments/approvals', { pairs });
    const other = (await buildAdmin(api)).client;
    const both = await Promise.all([approve(), other.post('/api/admin/payments/approvals', { pairs })]);
    expect(both.map(({ body }) => body.results[0].outcome).toSorted()).toEqual(['approved', 'unchanged']);
    expect((await client.get(`/api/tickets/${id}`)).body).toMatchObject({ status: 'approved' });
    const { body: told } = await client.get(`/api/notifications/user/${user.id}`);
    expect(told).toHaveLength(1);
    expect((await lines('?state=matched'))[0]).toMatchObject({ ticketId: id, rule: 'R1' });

    const undone = await admin.post(`/api/admin/payments/lines/${pairs[0]?.lineId}/unmatch`, {});
    expect(undone).toMatchObject({
      status: 200,
      body: { ticketId: id, ticketStatus: 'approved', payment: { ticketId: null } },
    });
  });

  test('an SMS alone with number and amount is proposed and not ticked; another amount is doubtful and cannot be approved', async () => {
    const { path } = await open();
    await forward(path, orangeSms({ payer: '70444444' }));
    const { id } = await fileTicket({ phone: '+22670444444' });
    await hasRead(1);
    await api.pool.query('update payment_lines set paid_at = now()');
    expect((await proposals()).sure).toEqual([expect.objectContaining({ rule: 'R2', preTicked: false })]);
    await api.pool.query('update payment_lines set gross = 900, our_reference = $1', [id]);
    const { sure, doubtful } = await proposals();
    expect(sure).toEqual([]);
    expect(doubtful).toEqual([
      expect.objectContaining({ rule: 'R3', evidence: expect.arrayContaining([expect.stringContaining('de moins')]) }),
    ]);
    const pairs = [{ lineId: doubtful[0].line.id, ticketId: id }];
    expect((await admin.post('/api/admin/payments/approvals', { pairs })).body.results).toEqual([
      expect.objectContaining({ outcome: 'refused', code: 'PAYMENT_DIFFERS' }),
    ]);
  });

  test('a pair that was joined by hand is not approved once its payment was taken back', async () => {
    const { path } = await open();
    await forward(path, orangeSms({}));
    await hasRead(1);
    const { id } = await fileTicket();
    const [{ id: lineId }] = await lines();
    await admin.post(`/api/admin/payments/lines/${lineId}/match`, { ticketId: id });
    const approve = async () =>
      (await admin.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId: id }] })).body.results;
    await api.pool.query("update payment_lines set state = 'reversed'");
    expect(await approve()).toEqual([expect.objectContaining({ outcome: 'refused', code: 'PAYMENT_CLOSED' })]);
    await api.pool.query("update payment_lines set state = 'settled'");
    expect(await approve()).toEqual([expect.objectContaining({ outcome: 'approved' })]);
    const { rows } = await api.pool.query('select details from audit_log order by id desc limit 1');
    expect(rows[0].details).toMatchObject({ line: lineId });
  });

  test('a ticket that was approved without one meanwhile is refused, and not paired', async () => {
    const { path } = await open();
    await forward(path, orangeSms({}));
    await hasRead(1);
    const { id } = await fileTicket();
    const pairs = [{ lineId: (await lines())[0].id, ticketId: id }];
    expect(await admin.patch(`/api/tickets/${id}/status`, { status: 'approved' })).toMatchObject({ status: 200 });
    expect((await admin.post('/api/admin/payments/approvals', { pairs })).body.results).toEqual([
      expect.objectContaining({ outcome: 'refused', code: 'STATUS_CHANGED' }),
    ]);
    expect(await lines('?state=matched')).toEqual([]);
  });

  test('a declared ticket without a payment is listed, and its person reminded once a day', async () => {
    const { id, client, user } = await fileTicket({ reference: 'PP261124.0700.10000009' });
    await api.pool.query("update tickets set payment_declared_at = now() - interval '20 minutes'");
    expect((await proposals()).withoutPayment).toEqual([expect.objectContaining({ id })]);
    expect(await admin.post('/api/admin/payments/reminders', { ticketId: id })).toMatchObject({ status: 200 });
    expect(await admin.post('/api/admin/payments/reminders', { ticketId: id })).toMatchObject({
      status: 409,
      body: { code: 'REMINDED_TODAY' },
    });
    const { body } = await client.get(`/api/notifications/user/${user.id}`);
    const reminder = {
      type: 'warning',
      relatedTicketId: id,
      message: expect.stringContaining('Vérifiez la référence'),
    };
    expect(body).toEqual([expect.objectContaining(reminder)]);
    await api.pool.query('update tickets set payment_reference = null, payer_reminded_at = null');
    await admin.post('/api/admin/payments/reminders', { ticketId: id });
    const [{ message }] = (await client.get(`/api/notifications/user/${user.id}`)).body;
    expect(message).toContain('Indiquez-nous sa référence');
  });
});

/** Tells, as Wave's server does, of a payment of 1,100 francs of now, from a number that is nobody's. */
const tell = (fields: Partial<ToldLine> = {}) =>
  api.db.transaction((tx) =>
    recordLines(tx, accountId, 'wave', [
      told({ gross: 1_100, state: 'settled', paidAt: new Date(), payer: null, ...fields }),
    ]),
  );
const approve = async (lineId: number, ticketId: number) =>
  (await admin.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId }] })).body.results[0];

describe('a declared reference', () => {
  test.each([
    ['T_46HS5COOWE', 'as Wave writes it'],
    ['T 46HS5COOWE', 'with a blank for its line'],
    ['T46HS5COOWE', 'without its line'],
  ])('%s, %s, is that of the payment T_46HS5COOWE', async (typed) => {
    await tell({ reference: 'T_46HS5COOWE' });
    const { id } = await fileTicket({ reference: typed });
    expect((await proposals()).sure).toEqual([
      expect.objectContaining({ rule: 'R1', preTicked: true, ticket: expect.objectContaining({ id }) }),
    ]);
  });
});

describe('the number that one says one paid from (P18.14)', () => {
  test('pairs a payment from it, and is shown to administrators; one that is none is refused', async () => {
    const { id, client } = await fileTicket();
    const declare = (payerPhone: string) => client.post(`/api/tickets/${id}/payment-declaration`, { payerPhone });
    expect(await declare('12')).toMatchObject({ status: 400, body: { code: 'PHONE_INVALID' } });
    await tell({ payer: '+22670333333' });
    expect((await proposals()).sure).toEqual([]);
    expect((await declare('70 33 33 33')).status).toBe(200);
    expect((await proposals()).sure).toEqual([
      expect.objectContaining({ rule: 'R2', preTicked: true, ticket: expect.objectContaining({ id }) }),
    ]);
    expect((await admin.get(`/api/admin/tickets/${id}`)).body.payerPhone).toBe('+22670333333');
  });
});

describe('a reference that comes again', () => {
  test('having paid a request, it is proposed for no other, and a person is told that it is taken', async () => {
    await tell();
    const first = await fileTicket({ reference: told().reference ?? '' });
    const [{ line }] = (await proposals()).sure;
    expect(await approve(line.id, first.id)).toMatchObject({ outcome: 'approved' });
    const second = await fileTicket({ reference: told().reference ?? '' });
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
    await fileTicket({ reference: told().reference ?? '' });
    expect(await lines()).toHaveLength(2);
    const { sure, doubtful } = await proposals();
    expect([sure.length, doubtful.length]).toEqual([0, 2]);
  });
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
