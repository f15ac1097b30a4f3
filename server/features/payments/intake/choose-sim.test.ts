import { beforeEach, expect, test } from 'vitest';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { openPaymentBook, openSource, orangeSms } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
let accountId: number;
let phone: { id: number; path: string };
beforeEach(async () => {
  ({ accountId } = await openPaymentBook(api, admin));
  phone = await openSource(admin, accountId);
});

/** An SMS of so many francs that came to this SIM. */
async function send(sim: unknown, gross: number, text = orangeSms(messageOf(gross))) {
  const sms = { from: 'OrangeMoney', text, sentStamp: Date.now(), sim };
  expect((await api.client().post(phone.path, sms)).status).toBe(200);
}
const messageOf = (gross: number) => ({ gross: `${gross}.00`, reference: `PP261124.0700.1000${gross}` });
const spent = (gross: number) =>
  `Votre paiement de ${gross}.00 FCFA, Frais: 4.3478 FCFA, Taxe: 0.6522 FCFA a B EXEMPLE a ete effectue avec succes. Votre solde est de : 9000.00 FCFA. Trans id: MP261124.0700.2000${gross}.`;
const lines = async (): Promise<number[]> =>
  (await admin.get('/api/admin/payments')).body.map(({ gross }: { gross: number }) => gross).toSorted();
const ignored = async (): Promise<number[]> =>
  (await api.pool.query('select gross from payment_lines where is_ignored order by 1')).rows.map(({ gross }) => gross);
const states = async (): Promise<string[]> =>
  (await api.pool.query("select concat_ws(' ', sim, state) as of from payment_messages order by id")).rows.map(
    ({ of }) => of,
  );
const source = async () => (await admin.get('/api/admin/payments/accounts')).body[0].sources[0];
const choose = (sim: string) => admin.post(`/api/admin/payments/sources/${phone.id}/sim`, { sim });

test('of one SIM nothing is asked, however the app names it, and where it does not know', async () => {
  await send('SIM1', 1_001);
  await send(1, 1_002);
  await send('sim1', 1_003);
  await send('undetected', 1_004);
  await send(null, 1_005);
  await send('', 1_006);
  expect(await lines()).toHaveLength(6);
  expect(await source()).toMatchObject({ isSimChosen: false, sims: [{ sim: 'SIM1', messages: 3 }] });
});

test('a second SIM’s messages wait until a person says which SIM is the account’s; then they are read', async () => {
  await send('SIM1', 1_001);
  await send('SIM2', 1_002);
  await send('SIM2', 1_003);
  await send('SIM1', 1_004);
  expect(await lines()).toEqual([1_001, 1_004]);
  const { body: unread } = await admin.get('/api/admin/payments/messages');
  expect(unread.map(({ why }: { why: string }) => why)).toEqual(
    [1, 2].map(() => expect.stringContaining("Ce SMS vient d'une autre SIM de ce téléphone (SIM2).")),
  );
  const seen = (sim: string) => ({ sim, messages: 2, lastAt: expect.any(String) });
  expect(await source()).toMatchObject({ isSimChosen: false, sims: [seen('SIM1'), seen('SIM2')] });

  expect(await choose('SIM2')).toMatchObject({ status: 200, body: { payments: 2, ignored: 2 } });
  expect(await states()).toEqual(['SIM1 ignored', 'SIM2 parsed', 'SIM2 parsed', 'SIM1 ignored']);
  expect([await ignored(), await source()]).toEqual([[1_001, 1_004], expect.objectContaining({ isSimChosen: true })]);
  await send('SIM1', 1_005);
  await send('SIM2', 1_006);
  expect((await states()).slice(-2)).toEqual(['SIM1 ignored', 'SIM2 parsed']);
  const { rows } = await api.pool.query("select distinct why from payment_messages where state = 'ignored'");
  expect(rows).toEqual([{ why: 'Autre SIM.' }]);
  expect(await choose('SIM2')).toMatchObject({ status: 200, body: { payments: 0, ignored: 0 } });
});

test('the other answer leaves the lines as they are, and whoever erred chooses again', async () => {
  await send('SIM1', 1_001);
  await send('SIM2', 1_002);
  await send('SIM1', 0, spent(500));
  await send('SIM2', 0, 'Bonjour');
  expect((await choose('SIM1')).body).toEqual({ payments: 0, ignored: 0 });
  expect([await lines(), await ignored(), await states()]).toEqual([
    [1_001],
    [],
    ['SIM1 parsed', 'SIM2 ignored', 'SIM1 ignored', 'SIM2 ignored'],
  ]);
  // What went out is a step of the balances of that SIM.
  expect((await choose('SIM2')).body).toEqual({ payments: 1, ignored: 2 });
  expect([await ignored(), await states()]).toEqual([
    [500, 1_001],
    ['SIM1 ignored', 'SIM2 parsed', 'SIM1 ignored', 'SIM2 unread'],
  ]);
  expect((await choose('SIM1')).body).toEqual({ payments: 1, ignored: 1 });
  expect(await ignored()).toEqual([1_002]);
});

test('a line that a ticket has, or that another input told too, is the account’s, whatever the SIM', async () => {
  for (const gross of [1_001, 1_100, 1_003]) await send('SIM1', gross);
  // As a statement tells it.
  await api.pool.query('update payment_lines set seen_in = seen_in | 8 where gross = 1001');
  const ticket = await buildTicket(api.db, (await buildUser(api.db)).id);
  const { rows } = await api.pool.query('select id from payment_lines where gross = 1100');
  await admin.post(`/api/admin/payments/lines/${rows[0].id}/match`, { ticketId: ticket.id });
  await send('SIM2', 1_004);
  expect((await choose('SIM2')).body).toEqual({ payments: 1, ignored: 1 });
  expect(await ignored()).toEqual([1_003]);
});

test('a SIM that sent nothing cannot be chosen, and a source that is gone has none', async () => {
  await send('SIM1', 1_001);
  expect(await choose('SIM3')).toMatchObject({ status: 400, body: { issues: [{ path: 'sim' }] } });
  expect(await source()).toMatchObject({ isSimChosen: false });
  await admin.delete(`/api/admin/payments/sources/${phone.id}`);
  expect((await choose('SIM1')).status).toBe(404);
});

test('two SIMs of one phone are two accounts, each with an address', async () => {
  await send('SIM1', 1_001);
  await send('SIM2', 1_002);
  await choose('SIM1');
  const other = await admin.post('/api/admin/payments/accounts', {
    paymentTypeId: (await admin.get('/api/admin/payments/accounts')).body[0].paymentTypeId,
    country: '+226',
    number: '71 00 00 00',
    label: 'Caisse 2',
    allowedSenders: ['OrangeMoney'],
  });
  phone = await openSource(admin, other.body.id);
  await send('SIM2', 1_002);
  expect((await admin.get(`/api/admin/payments?account=${other.body.id}`)).body).toHaveLength(1);
});
