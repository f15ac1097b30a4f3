import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { backUp } from '#server/features/backup/back-up.ts';
import { restore } from '#server/features/backup/restore.ts';
import {
  buildAdmin,
  buildMatchedLine,
  buildPaymentAccount,
  buildPaymentLine,
  buildPaymentMessage,
  buildPaymentSource,
  buildPaymentType,
  buildTicket,
  buildUser,
  nextNumber,
} from '#server/testing/builders.ts';
import { createDatabase, startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-shapes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const sender = 'AirtelMoney';
const sms = (n: number, { payer = `9000000${n}`, name = 'AWA EXEMPLE' } = {}) =>
  `Vous avez reçu ${n} 500 FCFA de ${name}, numéro ${payer}. Nouveau solde: 2${n} 345 FCFA. Txn ID: CI261128.091${n}.C0001${n}.`;
const read = (n: number) => ({
  gross: n * 1_000 + 500,
  payer: `9000000${n}`,
  reference: `CI261128.091${n}.C0001${n}`,
  balanceAfter: (20_345 + n * 1_000) * 100,
  name: 'AWA EXEMPLE',
});

/** A wallet of Niger that no pattern knows, with an account and a phone that forwards its SMS. */
let shop = {} as Awaited<ReturnType<typeof openShop>>;
async function openShop(allowedSenders = [sender]) {
  const { id: paymentTypeId } = await buildPaymentType(api.db, `Airtel Money ${nextNumber()}`);
  const wallet = { paymentTypeId, country: '+227' as const };
  const account = await buildPaymentAccount(api.db, { ...wallet, allowedSenders });
  const source = await buildPaymentSource(api.db, { accountId: account.id });
  return { ...wallet, accountId: account.id, path: source.path };
}
beforeEach(async () => {
  await api.pool.query('truncate payment_accounts, payment_shapes cascade; delete from tickets');
  shop = await openShop();
});

const send = (to: string, text: string, { from = sender, on = api }: { from?: string; on?: TestApi } = {}) =>
  on.client().post(to, { from, text, sentStamp: Date.now() });
const listUnread = async (by = admin) => (await by.get('/api/admin/payments/messages')).body;
const bodyOf = (n: number) => ({ accountId: shop.accountId, ...read(n), paidAt: '2026-11-28T08:16:00Z' });
const teach = (id: number, fields: object = {}, n = 1) =>
  admin.post(`/api/admin/payments/messages/${id}/payment`, { ...bodyOf(n), learn: true, ...fields });
const look = (id: number, fields: object = {}) => {
  const { paidAt: _, ...body } = bodyOf(1);
  return admin.post(`/api/admin/payments/messages/${id}/shape`, { ...body, ...fields });
};
const stored = async (on = api) =>
  (
    await on.pool.query(
      `select l.account_id as "accountId", gross, payer, reference, balance_after::int as balance, shape_id as "shapeId",
         is_trusted as "isTrusted" from payment_lines l order by gross`,
    )
  ).rows;
const lineOf = (n: number, fields: object = {}) => ({
  accountId: shop.accountId,
  gross: n * 1_000 + 500,
  payer: `+2279000000${n}`,
  reference: `CI261128.091${n}.C0001${n}`,
  balance: (20_345 + n * 1_000) * 100,
  shapeId: expect.any(Number),
  isTrusted: true,
  ...fields,
});
const shapesOf = async (by: TestClient = admin) => (await by.get('/api/admin/payments/shapes')).body;

test('a shape taught from one unread message reads five others: what waits, what comes, after a restart and out of a backup', async () => {
  const other = await buildPaymentAccount(api.db, { ...shop, number: '2', allowedSenders: [sender] });
  const otherPhone = (await buildPaymentSource(api.db, { accountId: other.id })).path;
  const abroad = await buildPaymentAccount(api.db, { ...shop, country: '+226', allowedSenders: [sender] });
  await send(shop.path, sms(1));
  await send(shop.path, sms(2, { name: 'Koffi de Souza' }));
  await send(otherPhone, sms(3).replace(/\. /g, '\n'));
  await send((await buildPaymentSource(api.db, { accountId: abroad.id })).path, sms(4));
  const unread = await listUnread();
  expect(
    unread.map(({ state, guess }: { state: string; guess: { gross: number } }) => [state, guess.gross]),
  ).toHaveLength(4);
  const first = unread.at(-1);
  expect(first.guess).toEqual({ ...read(1), payer: '+22790000001', paidAt: '2026-11-28T08:11:00.000Z' });

  expect(await look(first.id)).toMatchObject({ status: 200, body: { waiting: 2, stranger: null } });
  expect(await teach(first.id)).toMatchObject({ status: 201, body: { message: 'Paiement noté', read: 2 } });
  const byPerson = lineOf(1, { shapeId: null, isTrusted: false });
  expect(await stored()).toEqual([byPerson, lineOf(2), lineOf(3, { accountId: other.id })]);
  expect((await listUnread()).map(({ accountId }: { accountId: number }) => accountId)).toEqual([abroad.id]);

  await send(shop.path, sms(5));
  const restarted = await startTestApi({ on: { database: api.config.database as string } });
  await send(shop.path, sms(6), { on: restarted });
  const file = path.join(folder, 'whole');
  await backUp(api.config, { file });
  const place = await createDatabase();
  await restore({ file }, async () => place.config);
  const restored = await startTestApi({ on: place });
  await send(shop.path, sms(7), { on: restored });
  const five = [lineOf(2), lineOf(3, { accountId: other.id }), lineOf(5), lineOf(6), lineOf(7)];
  expect(await stored(restored)).toEqual([byPerson, ...five]);
  const { client: again } = await buildAdmin(restored);
  const [shape, ...others] = await shapesOf(again);
  expect([shape, others]).toEqual([
    {
      id: expect.any(Number),
      paymentTypeId: shop.paymentTypeId,
      country: '+227',
      template:
        'Vous avez reçu {montant} FCFA de {nom}, numéro {payeur}. Nouveau solde: {solde} FCFA. Txn ID: {reference}.',
      createdAt: expect.any(String),
      used: 5,
      confirmed: 0,
      lastUsedAt: expect.any(String),
    },
    [],
  ]);
});

test('what is shown of a shape is the text with its parts, and keeps nothing', async () => {
  const { id } = await unreadOf(sms(1));
  const { body } = await look(id);
  expect(body.parts.map(({ text, placeholder }: Record<string, string>) => placeholder ?? text)).toEqual([
    'Vous avez reçu ',
    'montant',
    ' FCFA de ',
    'nom',
    ', numéro ',
    'payeur',
    '. Nouveau solde: ',
    'solde',
    ' FCFA. Txn ID: ',
    'reference',
    '.',
  ]);
  expect([await stored(), await shapesOf(), (await listUnread()).length]).toEqual([[], [], 1]);
});

async function unreadOf(text: string, from = sender) {
  await send(shop.path, text, { from });
  return (await listUnread())[0];
}

test.each<[path: string, message: string, fields: object, text?: string]>([
  ['gross', "n'est pas dans le texte", { gross: 1_501 }],
  ['reference', "n'est pas dans le texte", { reference: 'CI261128.0911.C00012' }],
  ['payer', "n'est pas dans le texte", { payer: '90000002' }],
  ['balanceAfter', "n'est pas dans le texte", { balanceAfter: 5 }],
  ['name', "n'est pas dans le texte", { name: 'ISSA EXEMPLE' }],
  ['name', 'ressemble à un nom', { name: null }],
  ['learn', 'trop générale', { balanceAfter: null, name: null }, 'Recu 1 500 FCFA 90000001 ID: CI261128.0911.C00011'],
  ['learn', "l'argent est sorti", {}, sms(1).replace('reçu', 'envoyé')],
])(
  'what cannot be taught is refused at %s (%s), and nothing of it is written',
  async (at, message, fields, text = sms(1)) => {
    const { id } = await unreadOf(text);
    const refusal = {
      status: 400,
      body: { code: 'INVALID', issues: [{ path: at, message: expect.stringContaining(message) }] },
    };
    expect(await look(id, fields)).toMatchObject(refusal);
    expect(await teach(id, fields)).toMatchObject(refusal);
    expect([await stored(), await shapesOf(), (await listUnread()).length]).toEqual([[], [], 1]);
    expect(await teach(id, { ...fields, learn: false })).toMatchObject({ status: 201, body: { read: 0 } });
  },
);

test('what a person said is no payment is not read by a shape that is taught later', async () => {
  const { id: refused } = await unreadOf(sms(2));
  expect((await admin.post(`/api/admin/payments/messages/${refused}/ignore`)).status).toBe(200);
  const { id } = await unreadOf(sms(1));
  const message = expect.stringContaining("n'en est pas un");
  expect((await teach(id)).body.issues).toEqual([{ path: 'learn', message }]);
});

test('a shape that is known is not taught twice, and one of a built-in pattern not at all', async () => {
  const [first, second] = [await unreadOf(sms(1)), await unreadOf(sms(2, { name: '7'.repeat(6) }))];
  expect((await teach(first.id)).status).toBe(201);
  await api.pool.query("update payment_messages set state = 'unread' where id = $1", [first.id]);
  const known = {
    status: 400,
    body: { issues: [{ path: 'learn', message: 'Les messages de cette forme sont déjà lus.' }] },
  };
  expect(await teach(first.id)).toMatchObject(known);
  expect((await listUnread())[0].id).toBe(second.id);
});

test('a sender that may not send stays refused, until it is allowed with the shape', async () => {
  await api.pool.query('update payment_accounts set allowed_senders = $1', [['Airtel']]);
  const { id } = await unreadOf(sms(1), 'AIRTEL-NE');
  await send(shop.path, sms(2), { from: 'AIRTEL-NE' });
  await send(shop.path, sms(3), { from: 'Faux' });
  expect((await look(id)).body).toMatchObject({ waiting: 2, stranger: 'AIRTEL-NE' });
  expect((await teach(id, { allowSender: true })).body).toMatchObject({ read: 1 });
  expect(await stored()).toEqual([expect.objectContaining({ gross: 1_500 }), lineOf(2)]);
  expect((await listUnread()).map(({ sender, why }: Record<string, string>) => [sender, why])).toEqual([
    ['Faux', 'Expéditeur inconnu. Un SMS peut être imité.'],
  ]);
  const [account] = (await admin.get('/api/admin/payments/accounts')).body;
  expect(account.allowedSenders).toEqual(['Airtel', 'AIRTEL-NE']);
});

test('without leave for the sender, its messages of a taught shape are refused', async () => {
  const { id } = await unreadOf(sms(1), 'AIRTEL-NE');
  await send(shop.path, sms(2), { from: 'AIRTEL-NE' });
  expect((await teach(id)).body).toMatchObject({ read: 0 });
  expect((await listUnread())[0]).toMatchObject({ why: 'Expéditeur inconnu. Un SMS peut être imité.' });
});

test('a shape that is removed reads no more; its payments stay with it, and it may be taught again', async () => {
  const { id } = await unreadOf(sms(1));
  await teach(id);
  await send(shop.path, sms(2));
  const [{ id: shapeId, template }] = await shapesOf();
  expect(await admin.delete(`/api/admin/payments/shapes/${shapeId}`)).toMatchObject({
    status: 200,
    body: { id: shapeId },
  });
  expect(await admin.delete(`/api/admin/payments/shapes/${shapeId}`)).toMatchObject({
    body: { code: 'PAYMENT_SHAPE_NOT_FOUND' },
  });
  const { id: unread } = await unreadOf(sms(3));
  expect([await shapesOf(), await stored()]).toEqual([[], [expect.anything(), lineOf(2, { shapeId })]]);
  expect((await teach(unread, read(3), 3)).status).toBe(201);
  const { rows } = await api.pool.query(
    "select details from audit_log where action like 'DELETE /api/admin/payments/shapes%' order by id desc limit 1",
  );
  expect(JSON.stringify(rows[0].details)).toContain(template.slice(0, 20));
});

test('of a shape, what pays an approved ticket or a statement told as well is confirmed', async () => {
  const { id } = await unreadOf(sms(1));
  await teach(id);
  for (const n of [2, 3, 4]) await send(shop.path, sms(n));
  await api.pool.query("update payment_lines set state = 'settled' where gross in (2500, 3500)");
  await api.pool.query("update payment_lines set anomaly = 'Deux montants' where gross = 3500");
  expect(await shapesOf()).toMatchObject([{ used: 3, confirmed: 1 }]);
});

test('a pasted message is read by what its wallet was taught', async () => {
  const { id } = await unreadOf(sms(1));
  await teach(id);
  const text = `${sms(2)}\n${sms(3)}`;
  const { body } = await admin.post('/api/admin/payments/read', { text, accountId: shop.accountId });
  expect(body.messages.map(({ kind }: { kind: string }) => kind)).toEqual(['payment', 'payment']);
  const taken = await admin.post('/api/admin/payments/pasted', { text, accountId: shop.accountId });
  expect(taken.body).toMatchObject({ payments: 2 });
});

test('a text that is erased and one that cannot be opened are told apart, and teach nothing', async () => {
  const erased = await buildPaymentMessage(api.db, { accountId: shop.accountId });
  const closed = await buildPaymentMessage(api.db, { accountId: shop.accountId, sealedText: 'AAAA' });
  expect((await listUnread()).map(({ text, isErased }: Record<string, unknown>) => [text, isErased])).toEqual([
    [null, false],
    [null, true],
  ]);
  for (const { id } of [erased, closed])
    expect((await teach(id)).body.issues).toEqual([
      { path: 'learn', message: "Le texte de ce message n'est plus lisible." },
    ]);
});

test('a payment that a taught shape read is ticked by the same rules as others once ten of its messages were confirmed', async () => {
  const { id } = await unreadOf(sms(1));
  await teach(id);
  const [{ id: shapeId }] = await shapesOf();
  await send(shop.path, sms(2));
  const { reference, gross, balanceAfter } = read(2);
  const paidAt = new Date('2026-11-28T09:12:00+01:00');
  // Its balance follows from a payment that the statement told.
  const before = { accountId: shop.accountId, gross: 100, balanceAfter: balanceAfter - gross * 100 };
  await buildPaymentLine(api.db, { ...before, paidAt: new Date(paidAt.getTime() - 60_000) });
  const user = await buildUser(api.db, { phone: '+22790000002' });
  await buildTicket(api.db, user.id, {
    paymentTypeId: shop.paymentTypeId,
    totalPrice: String(gross),
    amount: gross - 100,
    createdAt: new Date(paidAt.getTime() - 60_000),
    paymentReference: reference,
    paymentDeclaredAt: paidAt,
  });
  const ofShape = { accountId: shop.accountId, shapeId, paidAt };
  const confirm = async (status: 'approved' | 'pending') => {
    const ticket = await buildTicket(api.db, (await buildUser(api.db)).id, { status });
    await buildMatchedLine(api.db, ticket.id, { ...ofShape, state: 'announced' });
  };
  const sure = async () => (await admin.get('/api/admin/payments/proposals')).body.sure;
  const notYet = (words: string) => [{ preTicked: false, doubts: [`Forme apprise\u00a0: ${words} sur 10.`] }];
  expect(await sure()).toMatchObject(notYet('0 message confirmé'));
  for (let confirmed = 0; confirmed < 8; confirmed += 1) await confirm('approved');
  await buildPaymentLine(api.db, ofShape);
  // What no person approved confirms nothing.
  await confirm('pending');
  expect(await sure()).toMatchObject(notYet('9 messages confirmés'));
  await confirm('approved');
  expect(await sure()).toMatchObject([{ rule: 'R1', preTicked: true, doubts: [] }]);
  expect(await shapesOf()).toMatchObject([{ used: 12, confirmed: 10 }]);
  // One that is removed is proven no less.
  await admin.delete(`/api/admin/payments/shapes/${shapeId}`);
  expect(await sure()).toMatchObject([{ preTicked: true }]);
});
