import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '#server/features/backup/back-up.ts';
import { restore } from '#server/features/backup/restore.ts';
import { orderBody } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildPaymentAccount,
  knownPassword,
  signInAs,
} from '#server/testing/builders.ts';
import { setClock } from '#server/testing/database-clock.ts';
import { openSource, orangeSms } from '#server/testing/payment-book.ts';
import { createDatabase, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { listMigrations } from './migrate.ts';

/** A backup of the shop below, made by each release. */
const releases = path.join(import.meta.dirname, 'releases');
const day = '2026-11-28';
/** When the tickets are filed, and when the payments have come. */
const [noon, later] = [`${day}T12:00:00Z`, `${day}T12:10:00Z`];
const [person, other] = ['+22670111111', '+22670222222'];

/** Files a ticket of 1 100 francs, and declares the reference where there is one. */
async function fileTicket(api: TestApi, phone: string, order: object, reference?: string): Promise<number> {
  const { client } = await buildCaller(api, { phone });
  const filed = await client.post('/api/tickets', order);
  expect(filed).toMatchObject({ status: 201, body: { status: 'pending', totalPrice: '1100' } });
  const { id } = filed.body;
  if (reference) expect((await client.post(`/api/tickets/${id}/payment-declaration`, { reference })).status).toBe(200);
  return id;
}

/** A shop with the starter catalogue, two people's tickets, a payment of each, one approved, and the day's closing. */
async function fillShop(api: TestApi): Promise<void> {
  expect((await api.client().post('/api/init-data', {})).status).toBe(200);
  const { client: admin } = await buildAdmin(api);
  const order = orderBody(await buildFinalService(api.db));
  const approved = await fileTicket(api, person, order, 'pp261128 1203 a00001');
  await fileTicket(api, other, order);
  const [type] = (await admin.get('/api/payment-types')).body.filter(
    ({ name }: { name: string }) => name === order.paymentTypeName,
  );
  const account = await buildPaymentAccount(api.db, { paymentTypeId: type.id, allowedSenders: ['OrangeMoney'] });
  const { path: feed } = await openSource(admin, account.id);
  await setClock(api.pool, later);
  const sent = [
    { balance: '11100.00', reference: 'PP261128.1203.A00001' },
    { balance: '12200.00', reference: 'PP261128.1204.A00002', payer: '70222222' },
  ];
  for (const each of sent) {
    const sms = { from: 'OrangeMoney', text: orangeSms(each), sentStamp: Date.parse(later) };
    expect((await api.client().post(feed, sms)).status).toBe(200);
  }
  const decision = { status: 'approved', expectedStatus: 'pending' };
  expect((await admin.patch(`/api/tickets/${approved}/status`, decision)).status).toBe(200);
  const closings = '/api/admin/payments/closings';
  const { digest } = (await admin.get(`${closings}?accountId=${account.id}&day=${day}`)).body;
  const signature = { accountId: account.id, day, digest, reasons: { gaps: [], unfinished: 'La boutique ferme' } };
  expect(await admin.post(closings, signature)).toMatchObject({ status: 200 });
}

/** What its people and its administrator notice. */
async function lookAround(api: TestApi): Promise<object> {
  const own = api.client();
  const me = await own.post('/api/auth/signin', { phoneOrEmail: person, password: knownPassword });
  const userId: number = me.body.user.id;
  const [ticket] = (await own.get(`/api/tickets/user/${userId}`)).body;
  const { code } = (await own.get(`/api/tickets/${ticket.id}/receipt`)).body;
  const { rows } = await api.pool.query('select id, is_admin as "isAdmin", password from users where is_admin');
  const admin = await signInAs(api, rows[0]);
  const ask = async (url: string) => (await admin.get(url)).body;
  const [account] = await ask('/api/admin/payments/accounts');
  return {
    ticket,
    receipt: (await own.get(`/api/receipts/${code}`)).body,
    notifications: (await own.get(`/api/notifications/user/${userId}`)).body,
    services: (await own.get('/api/services')).body.map(({ name }: { name: string }) => name),
    found: await ask('/api/admin/tickets?search=pp2611281203a00001'),
    line: await ask('/api/admin/payments?q=pp261128-1203-a00001'),
    proposals: await ask('/api/admin/payments/proposals'),
    closing: await ask(`/api/admin/payments/closings?accountId=${account.id}&day=${day}`),
    users: await ask('/api/admin/users'),
  };
}

const shop = {
  ticket: {
    status: 'approved',
    totalPrice: '1100',
    paymentReference: 'PP2611281203A00001',
    beneficiaryPhoneNumber: '+22670123456',
    servicePath: [{ name: 'Transfert' }, { name: 'Envoi' }],
  },
  receipt: { status: 'approved', totalPrice: '1100' },
  notifications: [{ title: 'Demande approuvée' }],
  services: expect.arrayContaining(['Télécom et mobile', 'Transfert']),
  found: [{ user: { phone: person }, paymentReference: 'PP2611281203A00001' }],
  line: [{ reference: 'PP261128.1203.A00001', gross: 1100, payer: person, rule: 'R1', ticketId: expect.any(Number) }],
  proposals: { sure: [{ rule: 'R2', line: { reference: 'PP261128.1204.A00002' } }] },
  closing: {
    figures: { last: 1_220_000, approved: { count: 1, sum: 1100 } },
    signed: { by: 'Fatou Ouédraogo', changed: false, reasons: { unfinished: 'La boutique ferme' } },
  },
  users: expect.arrayContaining([expect.objectContaining({ phone: other })]),
};

test('a shop of this version shows what it did, and its release has a backup of it', async () => {
  const api = await startTestApi({ clock: noon });
  await fillShop(api);
  expect(await lookAround(api)).toMatchObject(shop);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const file = path.join(releases, `${version}.backup`);
  if (existsSync(file)) return;
  await backUp(api.config, { file });
  expect.fail(`${file} was missing, and is made now: commit it with the release, and never change it`);
});

test.each(readdirSync(releases))('a shop of %s shows the same after its upgrade', async (name) => {
  const file = path.join(releases, name);
  expect(statSync(file).size).toBeLessThan(100_000);
  const place = await createDatabase();
  await restore({ file }, async () => place.config);
  expect(await lookAround(await startTestApi({ on: place, clock: later }))).toMatchObject(shop);
});

test('what made 1.0 stays as it was released', () => {
  expect(listMigrations().slice(0, 2)).toMatchObject([
    { when: 1_795_950_967_008, hash: '702b7430e91e3313e95b0d0b4b47dad0d2cce27e74c81a4b2db45f373d649e35' },
    { when: 1_795_951_014_396, hash: '92d68657e700e10c1d3d31569752f3ebd79409f20b3e98e0e919da52b35077c4' },
  ]);
});
