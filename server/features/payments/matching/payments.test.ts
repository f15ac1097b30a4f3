import { beforeEach, describe, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildPaymentLine, buildTicket } from '#server/testing/builders.ts';
import { fileDeclared, openPaymentBook, openSource, orangeSms } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { signedByWave, waveEvent } from '#server/testing/wave-event.ts';

let accountId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('delete from tickets');
  ({ accountId } = await openPaymentBook(api, admin));
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
const hasRead = async (count: number) => expect(await countRows(api, 'payment_messages')).toBe(count);

/** As if the payments had come in this minute, whatever day it is; `and` is more SQL. */
const paidNow = (and = '') =>
  api.pool.query(`update payment_lines set paid_at = now() - make_interval(mins => (gross <> 1100)::int) ${and}`);

/** As if a statement, or a person, had told of the payment of 500 francs as well. */
const confirmFirst = () => api.pool.query("update payment_lines set state = 'settled' where gross = 500");

const fileTicket = ({ reference, phone }: { reference?: string; phone?: string } = {}) =>
  fileDeclared(api, reference, phone ? { phone } : {});

describe('forwarded SMS', () => {
  test('of one payment that come at once, in the same words and in others, are one line', async () => {
    const [one, other] = [await open(), await open()];
    const texts = [orangeSms(), orangeSms(), `${orangeSms()} Merci`];
    for (let round = 0; round < 5; round += 1) {
      await api.pool.query('truncate payment_messages, payment_lines cascade');
      const calls = await Promise.all(texts.flatMap((text) => [forward(one.path, text), forward(other.path, text)]));
      expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
      expect([await countRows(api, 'payment_messages'), (await lines()).length]).toEqual([2, 1]);
    }
  });

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
    await paidNow();
    await confirmFirst();
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
    const oldestFound = sure[0].line.paidAt;
    const counted = { found: 1, oldestFound, unread: 0, oldestUnread: null };
    expect((await admin.get('/api/admin/payments/count')).body).toEqual(counted);

    const pairs = [{ lineId: sure[0].line.id, ticketId: id }];
    const approve = () => admin.post('/api/admin/payments/approvals', { pairs });
    const other = (await buildAdmin(api)).client;
    const both = await Promise.all([approve(), other.post('/api/admin/payments/approvals', { pairs })]);
    expect(both.map(({ body }) => body.results[0].outcome).toSorted()).toEqual(['approved', 'unchanged']);
    expect((await client.get(`/api/tickets/${id}`)).body).toMatchObject({ status: 'approved' });
    const { body: told } = await client.get(`/api/notifications/user/${user.id}`);
    expect(told).toHaveLength(1);
    expect((await lines('?state=matched'))[0]).toMatchObject({ ticketId: id, rule: 'R1' });
    const { rows: events } = await api.pool.query('select status from ticket_events where ticket_id = $1', [id]);
    expect(events).toEqual([{ status: 'pending' }, { status: 'approved' }]);
    const { rows: audited } = await api.pool.query(
      "select details from audit_log where action = 'POST /api/admin/payments/approvals'",
    );
    expect(audited.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ line: pairs[0]?.lineId, rule: 'R1' }),
    );

    const undone = await admin.post(`/api/admin/payments/lines/${pairs[0]?.lineId}/unmatch`, {});
    expect(undone).toMatchObject({
      status: 200,
      body: { ticketId: id, ticketStatus: 'approved', payment: { ticketId: null } },
    });
  });

  test.each<[string, string, () => Promise<unknown>, string | undefined]>([
    ['whose balance follows from a settled payment is ticked', '94271.00', confirmFirst, undefined],
    [
      'that follows from another SMS alone is not',
      '94271.00',
      async () => {},
      'SMS seul : le solde ne suit pas un paiement confirmé.',
    ],
    [
      'whose balance is a franc off is not',
      '94272.00',
      confirmFirst,
      'SMS seul : le solde ne suit pas un paiement confirmé.',
    ],
  ])('an SMS with a declared reference and %s', async (_, balance, confirm, why) => {
    const { path } = await open();
    await forward(path, orangeSms({ gross: '500.00', balance: '93171.00', reference: 'PP261124.0659.10000000' }));
    await forward(path, orangeSms({ balance }));
    await fileTicket({ reference: 'PP261124.0700.10000001' });
    await hasRead(2);
    await paidNow(', payer = null');
    await confirm();
    expect((await proposals()).sure).toMatchObject([{ rule: 'R1', preTicked: !why, doubts: why ? [why] : [] }]);
  });

  describe('two forged SMS that follow from each other', () => {
    const forge = async (path: string) => {
      await forward(path, orangeSms({ gross: '100.00', balance: '333333.00', reference: 'PP261124.0658.10000008' }));
      await forward(path, orangeSms({ balance: '334433.00', reference: 'PP261124.0659.10000009' }));
    };

    test('are not ticked, nor by the first approval of the account', async () => {
      const { path } = await open();
      await forge(path);
      await fileTicket({ reference: 'PP261124.0659.10000009' });
      await paidNow(', payer = null');
      expect((await proposals()).sure).toMatchObject([{ rule: 'R1', preTicked: false }]);
    });

    test('stop what is real from being ticked, until a person ignores them', async () => {
      const { path } = await open();
      await forward(path, orangeSms({ gross: '500.00', balance: '93171.00', reference: 'PP261124.0659.10000000' }));
      await confirmFirst();
      await forge(path);
      await forward(path, orangeSms());
      const { id } = await fileTicket({ reference: 'PP261124.0700.10000001' });
      await paidNow(', payer = null');
      const why = 'Le solde de ce compte ne suit pas : un SMS manque ou est faux.';
      expect((await proposals()).sure).toMatchObject([{ preTicked: false, doubts: [why], ticket: { id } }]);
      await api.pool.query('update payment_lines set is_ignored = true where gross = 100');
      expect((await proposals()).sure).toMatchObject([{ preTicked: true, doubts: [], ticket: { id } }]);
    });
  });

  test('an SMS that a person approves confirms those that follow from it, through what went out; taken back, it does not', async () => {
    const { path } = await open();
    await forward(path, orangeSms({ gross: '500.00', balance: '93171.00', reference: 'PP261124.0659.10000000' }));
    await forward(path, orangeSms({ balance: '94100.00' }));
    await fileTicket({ reference: 'PP261124.0700.10000001' });
    await paidNow(', payer = null');
    await buildPaymentLine(api.db, {
      accountId,
      direction: 'out',
      state: 'announced',
      gross: 171,
      balanceAfter: 9_300_000,
      senderMay: true,
    });
    const isTicked = async () => (await proposals()).sure.map(({ preTicked }: { preTicked: boolean }) => preTicked);
    expect(await isTicked()).toEqual([false]);
    const { id } = await buildTicket(api.db, (await buildCaller(api)).user.id, {
      amount: 500,
      commission: 0,
      totalPrice: '500',
    });
    const [{ id: lineId }] = await lines('?q=500');
    await admin.post(`/api/admin/payments/lines/${lineId}/match`, { ticketId: id });
    expect(await isTicked()).toEqual([true]);
    await admin.post(`/api/admin/payments/lines/${lineId}/unmatch`, {});
    expect(await isTicked()).toEqual([false]);
  });

  test('a pasted SMS with a declared reference is proposed and not ticked: anybody may have written it', async () => {
    const before = orangeSms({ gross: '500.00', balance: '93171.00', reference: 'PP261124.0659.10000000' });
    const { body } = await admin.post('/api/admin/payments/pasted', { text: `${before}\n\n${orangeSms()}`, accountId });
    expect(body).toMatchObject({ payments: 2 });
    await fileTicket({ reference: 'PP261124.0700.10000001' });
    await paidNow(', payer = null');
    expect((await proposals()).sure).toEqual([expect.objectContaining({ rule: 'R1', preTicked: false })]);
  });

  test('an SMS alone with number and amount is proposed and not ticked; another amount is doubtful and cannot be approved', async () => {
    const { path } = await open();
    await forward(path, orangeSms({ payer: '70444444' }));
    const { id } = await fileTicket({ phone: '+22670444444' });
    await hasRead(1);
    await paidNow();
    expect((await proposals()).sure).toEqual([expect.objectContaining({ rule: 'R2', preTicked: false })]);
    await api.pool.query('update payment_lines set gross = 900, our_reference = $1', [id]);
    const { sure, doubtful } = await proposals();
    expect(sure).toEqual([]);
    expect(doubtful).toEqual([
      expect.objectContaining({ rule: 'R3', doubts: expect.arrayContaining([expect.stringContaining('de moins')]) }),
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
