import { expect } from 'vitest';
import type { PaymentInput } from '#contract/payments.ts';
import { conditions, watchedBy } from '#server/features/alarms/conditions.ts';
import { recordLines, type ToldLine } from '#server/features/payments/intake/lines.ts';
import { readEnvironment } from '#server/process/environment.ts';
import { buildCaller, buildPaymentType, buildTicket, nextNumber } from './builders.ts';
import type { TestApi, TestClient } from './test-api.ts';

export const paidAt = new Date('2026-11-24T08:00:10Z');
/** So many seconds after `paidAt`. */
export const later = (seconds: number) => new Date(paidAt.getTime() + seconds * 1_000);

/** What an SMS of Orange tells of a payment of 1,050 francs. */
export const told = (fields: Partial<ToldLine> = {}): ToldLine => ({
  direction: 'in',
  state: 'announced',
  gross: 1_050,
  fee: null,
  balanceAfter: null,
  reference: 'PP261124.0800.10000001',
  ourReference: null,
  payer: '+22670111111',
  paidAt,
  senderMay: true,
  ...fields,
});

export const settled: Partial<ToldLine> = { state: 'settled', paidAt: later(3), fee: 1_000 };

export type PaymentBook = Awaited<ReturnType<typeof openPaymentBook>>;

/** The only account, of Orange Money in Burkina Faso: what inputs tell of it, and what is stored. */
export async function openPaymentBook(api: TestApi, admin: TestClient) {
  await api.pool.query('truncate payment_accounts cascade');
  const { id: paymentTypeId } = await buildPaymentType(api.db, `Orange Money ${nextNumber()}`);
  const account = { paymentTypeId, country: '+226', number: '70 00 00 00', label: 'Caisse 1' };
  const created = await admin.post('/api/admin/payments/accounts', { ...account, allowedSenders: ['OrangeMoney'] });
  expect(created).toMatchObject({ status: 201, body: { messages: 0, sources: [] } });
  const accountId: number = created.body.id;
  return {
    accountId,
    tell: (input: PaymentInput, ...lines: ToldLine[]) =>
      api.db.transaction((tx) => recordLines(tx, accountId, input, lines)),
    stored: async () =>
      (
        await api.pool.query(`select direction, state, gross, fee::int, reference, payer, paid_at as "paidAt",
          seen_in as "seenIn", anomaly from payment_lines order by gross, reference, paid_at, id`)
      ).rows,
    /** The conditions of payments that hold. */
    alarms: async () => {
      const watched = { ...api, ...watchedBy(readEnvironment({}), undefined) };
      const held = await Promise.all(
        conditions.map(async ({ key, check }) => (key.startsWith('payment-') && (await check(watched)) ? [key] : [])),
      );
      return held.flat();
    },
  };
}

/** An SMS of Orange Burkina Faso about a received payment. */
export const orangeSms = ({
  gross = '1,100.00',
  payer = '70111111',
  balance = '94271.00',
  reference = 'PP261124.0700.10000001',
} = {}) =>
  `Vous avez recu ${gross} FCFA du ${payer},SANOU AWA. Le solde de votre compte est de ${balance} FCFA Trans ID: ${reference}.`;

/** A new source, as it is shown once: the path of its address, and its signature's secret. */
export async function openSource(admin: TestClient, accountId: number, kind: 'sms' | 'wave' = 'sms', fields = {}) {
  const { body } = await admin.post('/api/admin/payments/sources', { accountId, kind, ...fields });
  return { id: body.id as number, path: new URL(body.address).pathname, secret: body.secret as string };
}

/** A pending ticket of 1,100 francs of somebody new, declared paid by this reference where one is given. */
export async function fileDeclared(api: TestApi, reference?: string, person: Parameters<typeof buildCaller>[1] = {}) {
  const { user, client } = await buildCaller(api, person);
  const { id } = await buildTicket(api.db, user.id);
  const declare = (body: object) => client.post(`/api/tickets/${id}/payment-declaration`, body);
  if (reference) expect(await declare({ reference })).toMatchObject({ status: 200 });
  return { id, user, client, declare };
}

/** Tells, as Wave's server does, of a payment of 1,100 francs of now, from a number that is nobody's. */
export const tellByWave = (api: TestApi, accountId: number, fields: Partial<ToldLine> = {}) =>
  api.db.transaction((tx) =>
    recordLines(tx, accountId, 'wave', [
      told({ gross: 1_100, state: 'settled', paidAt: new Date(), payer: null, ...fields }),
    ]),
  );
