import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordLines, type ToldLine } from '#server/features/payment-feed/record-lines.ts';
import { buildAdmin, buildCaller, buildPaymentAccount, buildTicket } from '#server/testing/builders.ts';
import { told } from '#server/testing/payment-book.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
let accountId: number;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.pool.query('truncate payment_accounts cascade; delete from tickets');
  accountId = (await buildPaymentAccount(api.db)).id;
});

/** What Wave's server tells of a payment of 1,100 francs of now, from a number that is nobody's. */
const settled = (fields: Partial<ToldLine> = {}): ToldLine =>
  told({ gross: 1_100, state: 'settled', paidAt: new Date(), payer: null, ...fields });
const tell = (...lines: ToldLine[]) => api.db.transaction((tx) => recordLines(tx, accountId, 'wave', lines));

/** A pending ticket of 1,100 francs that its person declares paid by this reference. */
async function fileDeclared(reference: string) {
  const { user, client } = await buildCaller(api);
  const { id } = await buildTicket(api.db, user.id);
  const declared = await client.post(`/api/tickets/${id}/payment-declaration`, { reference });
  expect(declared.status).toBe(200);
  return { id, user, reference: declared.body.paymentReference };
}
const proposals = async () => (await admin.get('/api/admin/payments/proposals')).body;
const stored = async () => (await admin.get('/api/admin/payments')).body;
const approve = async (lineId: number, ticketId: number) =>
  (await admin.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId }] })).body.results[0];

describe('a declared reference', () => {
  test.each([
    ['T_46HS5COOWE', 'as Wave writes it'],
    ['T 46HS5COOWE', 'with a blank for its line'],
    ['T46HS5COOWE', 'without its line'],
  ])('%s, %s, is that of the payment T_46HS5COOWE', async (typed) => {
    await tell(settled({ reference: 'T_46HS5COOWE' }));
    const { id } = await fileDeclared(typed);
    expect((await proposals()).sure).toEqual([
      expect.objectContaining({ rule: 'R1', preTicked: true, ticket: expect.objectContaining({ id }) }),
    ]);
  });

  test.each([
    ['PP261124.O700.10000001', 'the letter O for a zero'],
    ['PP261124.0700.1000001', 'a digit too few'],
  ])('%s, with %s, is sure of no payment: the one of its amount is shown', async (typed) => {
    await tell(settled({ reference: 'PP261124.0700.10000001' }));
    const { id } = await fileDeclared(typed);
    const { sure, doubtful } = await proposals();
    expect([sure, doubtful]).toEqual([
      [],
      [
        expect.objectContaining({
          rule: 'R4',
          ticket: expect.objectContaining({ id }),
          evidence: expect.arrayContaining(['Autre référence que celle déclarée.']),
        }),
      ],
    ]);
  });
});

describe('the number that one says one paid from (P18.14)', () => {
  test('pairs a payment from it, and is shown to administrators; one that is none is refused', async () => {
    const { user, client } = await buildCaller(api);
    const { id } = await buildTicket(api.db, user.id);
    const declare = (payerPhone: string) => client.post(`/api/tickets/${id}/payment-declaration`, { payerPhone });
    expect(await declare('12')).toMatchObject({ status: 400, body: { code: 'PHONE_INVALID' } });
    await tell(settled({ payer: '+22670333333' }));
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
    await tell(settled());
    const first = await fileDeclared(told().reference ?? '');
    const [{ line }] = (await proposals()).sure;
    expect(await approve(line.id, first.id)).toMatchObject({ outcome: 'approved' });
    const second = await fileDeclared(first.reference);
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
    await tell(settled());
    accountId = (await buildPaymentAccount(api.db)).id;
    await tell(settled());
    await fileDeclared(told().reference ?? '');
    expect(await stored()).toHaveLength(2);
    const { sure, doubtful } = await proposals();
    expect([sure.length, doubtful.length]).toEqual([0, 2]);
  });
});
