import { beforeEach, describe, expect, test } from 'vitest';
import type { ToldLine } from '#server/features/payments/intake/lines.ts';
import {
  buildAdmin,
  buildCaller,
  buildPaymentAccount,
  buildPaymentType,
  buildTicket,
} from '#server/testing/builders.ts';
import { fileDeclared, tellByWave, told } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let accountId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('truncate payment_accounts cascade; delete from tickets');
  accountId = (await buildPaymentAccount(api.db)).id;
});

const minutesAgo = (minutes: number) => new Date(Date.now() - 60_000 * minutes);
const reference = told().reference ?? '';
const proposals = async () => (await admin.get('/api/admin/payments/proposals')).body;
const approve = async (lineId: number, ticketId: number) =>
  (await admin.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId }] })).body.results[0];

const fileTicket = (reference?: string) => fileDeclared(api, reference);
const tell = (fields: Partial<ToldLine> = {}) => tellByWave(api, accountId, fields);

/** What is merely said proves nothing: a payment is settled from a payer's verified number, and somebody else claims it. */
describe('a stranger gets nothing ticked', () => {
  const paidBy = (payer: string, reference = 'T_46HS5COOWE') => tell({ payer, reference });

  test("by saying that they paid from the payer's number", async () => {
    const { user } = await buildCaller(api);
    await paidBy(user.phone);
    const { declare } = await fileTicket();
    await declare({ payerPhone: user.phone });
    expect(await proposals()).toMatchObject({ sure: [], doubtful: [{ rule: 'R4', preTicked: false }] });
  });

  test("nor by the reference with that number, in place of the payer's own request, which is shown", async () => {
    const { user } = await buildCaller(api);
    const own = await buildTicket(api.db, user.id);
    await paidBy(user.phone);
    const { id, declare } = await fileTicket('T_46HS5COOWE');
    await declare({ payerPhone: user.phone });
    const { sure, doubtful } = await proposals();
    expect(sure).toEqual([]);
    expect(new Set(doubtful.map(({ ticket }: { ticket: { id: number } }) => ticket.id))).toEqual(new Set([own.id, id]));
    const theirs = doubtful.find(({ ticket }: { ticket: { id: number } }) => ticket.id === id);
    expect(theirs.doubts).toEqual(["Payé depuis le numéro d'une autre personne inscrite ici."]);
  });

  test('nor by saying the number of somebody who paid twice', async () => {
    const { user } = await buildCaller(api);
    await buildTicket(api.db, user.id);
    await paidBy(user.phone);
    await paidBy(user.phone, 'T_46HS5COOWF');
    const { declare } = await fileTicket();
    await declare({ payerPhone: user.phone });
    expect((await proposals()).sure).toEqual([]);
  });

  test('nor by the reference of what somebody pays from another SIM, whose own request waits', async () => {
    const { user } = await buildCaller(api);
    const own = await buildTicket(api.db, user.id, { createdAt: minutesAgo(7) });
    await tell({ payer: '+22670333333', paidAt: minutesAgo(6) });
    await fileTicket(reference);
    expect((await proposals()).sure).toEqual([]);
    await api.pool.query('delete from tickets where id = $1', [own.id]);
    expect((await proposals()).sure).toMatchObject([{ rule: 'R1', preTicked: true }]);
  });

  test('nor by that of a second payment, for which their request alone would be left', async () => {
    await tell({ payer: '+22670333333', paidAt: minutesAgo(8) });
    const { id } = await fileTicket(reference);
    const [{ line }] = (await proposals()).sure;
    expect(await approve(line.id, id)).toMatchObject({ outcome: 'approved' });
    await tell({ payer: '+22670333333', paidAt: minutesAgo(6), reference: 'PP261124.0802.10000002' });
    await fileTicket('PP261124.0802.10000002');
    expect((await proposals()).sure).toEqual([]);
  });
});

test("from a number that is nobody's here a declared payment is ticked once no other request can be filed for it", async () => {
  await tell({ payer: '+22670333333' });
  const { id } = await fileTicket(reference);
  expect((await proposals()).sure).toMatchObject([
    { rule: 'R1', preTicked: false, doubts: [expect.stringContaining("Payé à l'instant")] },
  ]);
  await api.pool.query('update payment_lines set paid_at = $1', [minutesAgo(6)]);
  const [pair] = (await proposals()).sure;
  expect(pair).toMatchObject({ rule: 'R1', preTicked: true, doubts: [], ticket: { id } });
  expect(pair.evidence).toContain("Payé depuis un autre numéro, qui n'est celui de personne d'autre ici.");
});

describe('a payment on another wallet or in another country', () => {
  test('is proposed for no request of its amount alone', async () => {
    const abroad = await buildCaller(api, { phone: '+221770000001' });
    await buildTicket(api.db, abroad.user.id);
    const { user } = await buildCaller(api);
    const other = (await buildPaymentAccount(api.db)).paymentTypeId;
    await buildTicket(api.db, user.id, { paymentTypeId: other, paymentTypeName: 'Wave' });
    await tell();
    expect(await proposals()).toMatchObject({ sure: [], doubtful: [] });
    expect((await proposals()).withoutTicket).toHaveLength(1);
  });

  test('is doubtful with its reference and number, and says so; approved all the same, that is kept with the pair', async () => {
    const { user } = await buildCaller(api);
    const { paymentTypeId } = await buildPaymentAccount(api.db);
    const { id } = await buildTicket(api.db, user.id, { paymentTypeId, paymentTypeName: 'Wave' });
    const mine = await buildPaymentType(api.db, 'Orange Money');
    await api.pool.query('update payment_accounts set payment_type_id = $1 where id = $2', [mine.id, accountId]);
    await tell({ payer: user.phone });
    const doubts = ['Payé sur Orange Money, la demande dit Wave.'];
    const { sure, doubtful } = await proposals();
    expect([sure, doubtful]).toMatchObject([[], [{ rule: 'R2', doubts, ticket: { id } }]]);
    expect(await approve(doubtful[0].line.id, id)).toMatchObject({ outcome: 'approved' });
    const { payment } = (await admin.get(`/api/admin/payments/tickets/${id}`)).body;
    expect(payment.evidence).toEqual([expect.stringContaining('Numéro du payeur et montant égaux'), ...doubts]);
  });
});
