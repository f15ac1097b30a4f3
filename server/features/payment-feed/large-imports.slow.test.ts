import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentInput } from '#contract/payments.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { keyLines, type ToldLine } from './lines.ts';
import { recordLines } from './record-lines.ts';
import { countKnown } from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const count = 60_000;
const atOnce = 5_000;

const told = (place: number): ToldLine => ({
  direction: 'in',
  state: 'settled',
  gross: 1_000,
  fee: null,
  balanceAfter: null,
  reference: `T${place}`,
  ourReference: null,
  payer: `+22177${String(place % 9_000_000).padStart(7, '0')}`,
  paidAt: new Date(Date.UTC(2026, 9, 1) + place * 40_000),
  isTrusted: true,
});

/** In one transaction, as a statement is written: the time limit of a statement holds for each part. */
async function tell(accountId: number, input: PaymentInput, given: ToldLine[]) {
  const lines = keyLines(given);
  return api.db.transaction(async (tx) => {
    const sum = { created: 0, completed: 0, unchanged: 0 };
    for (let at = 0; at < lines.length; at += atOnce) {
      const recorded = await recordLines(tx, accountId, input, lines.slice(at, at + atOnce));
      for (const key of ['created', 'completed', 'unchanged'] as const) sum[key] += recorded[key];
    }
    return sum;
  });
}

test.each([
  ['with references, of one amount', {}],
  ['without references, of one amount', { reference: null }],
])('the last part of a statement of 60,000 rows takes no longer than the first: %s', async (_, fields) => {
  const { rows } = await api.pool.query(
    "insert into payment_accounts (country, number, label) values ('+221', '1', 'Caisse') returning id",
  );
  const { id } = rows[0];
  const statement = Array.from({ length: count }, (_, place) => ({ ...told(place), ...fields }));
  expect(await tell(id, 'file', statement)).toEqual({ created: count, completed: 0, unchanged: 0 });
  expect(await tell(id, 'file', statement)).toEqual({ created: 0, completed: 0, unchanged: count });
  const some = keyLines(statement).slice(-atOnce);
  expect(await countKnown(api.db, id, some)).toEqual({ created: 0, completed: 0, unchanged: atOnce });
  // Told once more by the wallet's server, with the references that the statement may lack.
  const events = Array.from({ length: count }, (_, place) => told(place));
  expect(await tell(id, 'wave', events)).toEqual({ created: 0, completed: count, unchanged: 0 });
});
