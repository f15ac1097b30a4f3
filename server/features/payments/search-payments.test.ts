import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildAdmin, buildPaymentLine } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());
beforeEach(async () => void (await api.pool.query('truncate payment_lines cascade')));

test.each([
  '+226 70 11 22 33',
  '0022670112233',
  '70/11/22/33',
  '\u202a70−11−22−33\u202c',
  'tel:+22670112233',
  '７０１１２２３３',
  '1 250 F',
  '1\u202f250',
  '１２５０',
  'pp26–9',
  'ＰＰ２６．9',
  'PP26\u200b9',
])('a payment is found by %j', async (q) => {
  const { id } = await buildPaymentLine(api.db, {
    gross: 1250,
    payer: '+22670112233',
    reference: 'PP26.9',
    plainReference: 'PP269',
  });
  await buildPaymentLine(api.db, { payer: '+22670112234' });
  const { body } = await admin.get(`/api/admin/payments?${new URLSearchParams({ q })}`);
  expect(body.map((each: { id: number }) => each.id)).toEqual([id]);
});
