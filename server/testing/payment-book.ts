import { expect } from 'vitest';
import type { PaymentInput } from '#contract/payments.ts';
import { conditions, watchedBy } from '#server/features/alarms/conditions.ts';
import { recordLines, type ToldLine } from '#server/features/payments/intake/lines.ts';
import { readEnvironment } from '#server/process/environment.ts';
import { buildPaymentType, nextNumber } from './builders.ts';
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
