import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildAdmin, buildPaymentAccount } from '#server/testing/builders.ts';
import { openSource, orangeSms } from '#server/testing/payment-book.ts';
import { fuzzedCalls } from '#server/testing/payment-fuzz.ts';
import { buildSecond, startTestApi } from '#server/testing/test-api.ts';
import { signedByWave, waveEvent } from '#server/testing/wave-event.ts';
import { readWaveEvent, waveSignatureTime } from './wave.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(() => api.pool.query('truncate payment_accounts cascade'));

const rotate = async (id: number, fields: object = {}) => {
  const { body } = await admin.post(`/api/admin/payments/sources/${id}/rotation`, fields);
  return { path: new URL(body.address).pathname, secret: body.secret as string };
};
const openAccount = async (fields: Parameters<typeof buildPaymentAccount>[1] = {}) =>
  (await buildPaymentAccount(api.db, fields)).id;
/** What was told when the previous addresses and secrets have had so many hours more. */
const letPass = (hours: number) =>
  api.pool.query('update payment_previous_addresses set until = until - make_interval(hours => $1)', [hours]);

const sendWave = async (path: string, secret: string): Promise<number> =>
  (await api.app.inject(signedByWave(path, secret, waveEvent()))).statusCode;
const orangeText = orangeSms();
const sendSms = async (path: string, fields: object = {}) =>
  (await api.client().post(path, { from: 'OrangeMoney', text: orangeText, sentStamp: Date.now(), ...fields })).status;
/** In the order in which they came. */
const states = async () =>
  (await api.pool.query<{ state: string }>('select state from payment_messages order by id')).rows.map(
    ({ state }) => state,
  );
const lines = async (query = '') => (await admin.get(`/api/admin/payments${query}`)).body;

test.each([
  ['2026-11-24T07:00:00Z', true],
  ['0000-01-01T00:00:00Z', false],
  ['1999-12-31T23:59:59Z', false],
  ['hier', false],
])("Wave's payment of %s is one: %s", (at, isOne) => {
  const data = { id: 'T_1', amount: '1089', currency: 'XOF', when_created: at };
  const event = JSON.stringify({ type: 'merchant.payment_received', data });
  expect(readWaveEvent(event, '+221') !== 'unknown').toBe(isOne);
});

const signature = (time: number, secret: string) => createHmac('sha256', secret).update(`${time}{}`).digest('hex');
test.each<[what: string, header: string, at: number | undefined]>([
  ['the one secret', `t=1000,v1=${signature(1_000, 'one')}`, 1_000],
  ['the other one, beside another signature', `t=1000,v1=00,v1=${signature(1_000, 'other')}`, 1_000],
  ['a third one', `t=1000,v1=${signature(1_000, 'third')}`, undefined],
  ['one of another time', `t=700,v1=${signature(700, 'one')}`, 700],
  ['one at another time', `t=1001,v1=${signature(1_000, 'one')}`, undefined],
  ['nobody', 't=1000', undefined],
  ['nobody, at no time', `v1=${signature(1_000, 'one')}`, undefined],
])("Wave's signature by %s", (_, signature, at) => {
  const signedAt = waveSignatureTime({ signature }, Buffer.from('{}'), ['one', 'other'], 1_000_000);
  expect(signedAt).toBe(at && at * 1_000);
});

describe('a rotation', () => {
  test('of a phone: the previous address takes messages for 24 hours, and nothing of them twice; then a replay is refused', async () => {
    const before = await openSource(admin, await openAccount());
    const after = await rotate(before.id, { signingSecret: 'cle-de-signature' });
    expect([await sendSms(before.path), await sendSms(before.path), await sendSms(after.path)]).toEqual([
      200, 200, 401,
    ]);
    expect(await states()).toEqual(['parsed']);
    await letPass(24);
    expect(await sendSms(before.path)).toBe(401);
    expect(await lines()).toHaveLength(1);
  });

  test('once more within a day leaves each earlier address good for 24 hours from its own change', async () => {
    const first = await openSource(admin, await openAccount());
    const signing = { signingSecret: 'cle-de-signature' };
    const second = await rotate(first.id, signing);
    await letPass(20);
    const third = await rotate(first.id, signing);
    const send = async () => [await sendSms(first.path), await sendSigned(second.path), await sendSigned(third.path)];
    const sendSigned = async (path: string) => {
      const time = String(Math.floor(Date.now() / 1_000));
      const payload = JSON.stringify({ from: 'OrangeMoney', text: orangeText });
      const mark = createHmac('sha256', signing.signingSecret)
        .update(payload + time)
        .digest('hex');
      const headers = { 'content-type': 'application/json', 'x-signature': mark, 'x-timestamp': time };
      return (await api.app.inject({ method: 'POST', url: path, payload, headers })).statusCode;
    };
    expect(await send()).toEqual([200, 200, 200]);
    await letPass(4);
    expect(await send()).toEqual([401, 200, 200]);
    await letPass(20);
    expect(await send()).toEqual([401, 401, 200]);
    expect(await states()).toEqual(['parsed']);
  });

  test("leaves Wave's old secret good at both addresses for 24 hours, and not after; the new one stays", async () => {
    const before = await openSource(admin, await openAccount(), 'wave');
    const after = await rotate(before.id);
    expect(after.secret).not.toBe(before.secret);
    const send = async () => [
      await sendWave(before.path, before.secret),
      await sendWave(after.path, before.secret),
      await sendWave(after.path, after.secret),
    ];
    expect(await send()).toEqual([200, 200, 200]);
    await letPass(24);
    expect(await send()).toEqual([401, 401, 200]);
    expect(await sendWave(before.path, after.secret)).toBe(401);
  });
});

describe('a source of another account', () => {
  test('tells of its own account alone, whatever the message', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const source = await openSource(admin, other, 'sms');
    expect(await sendSms(source.path)).toBe(200);
    expect(await states()).toEqual(['parsed']);
    expect(await lines(`?account=${one}`)).toEqual([]);
    expect(await lines(`?account=${other}`)).toEqual([expect.objectContaining({ gross: 1_100 })]);
    // Nor does it take the place of the account's own message.
    expect(await sendSms((await openSource(admin, one, 'sms')).path)).toBe(200);
    expect(await states()).toEqual(['parsed', 'parsed']);
    expect(await lines(`?account=${one}`)).toHaveLength(1);
  });
});

describe('a sender', () => {
  const judged = async (from: string, allowedSenders: string[]) => {
    const { path } = await openSource(admin, await openAccount({ allowedSenders }), 'sms');
    expect(await sendSms(path, { from })).toBe(200);
    return states();
  };

  test.each(['ORANGEMONEY', 'orange money', 'Orange-Money', ' Orange.Money '])(
    '«\u00a0%s\u00a0» is the allowed one, spelled otherwise',
    async (from) => {
      expect(await judged(from, ['OrangeMoney'])).toEqual(['parsed']);
    },
  );

  const cyrillic = { a: '\u0430', o: '\u041e' };
  test.each(['0rangeMoney', 'Orange', `${cyrillic.o}rangeMoney`, `OrangeMoney${cyrillic.a}`, '+22670999999'])(
    '«\u00a0%s\u00a0» only looks like the allowed one, and is refused',
    async (from) => {
      expect(await judged(from, ['OrangeMoney'])).toEqual(['refused']);
      expect(await lines()).toEqual([]);
    },
  );

  test('that was refused is read once a person pastes its message, and not when it comes again', async () => {
    const accountId = await openAccount({ allowedSenders: ['Caisse'] });
    const { path } = await openSource(admin, accountId, 'sms');
    for (const _ of [1, 2]) {
      await sendSms(path);
      expect(await states()).toEqual(['refused']);
    }
    const pasted = await admin.post('/api/admin/payments/pasted', { text: orangeText, accountId });
    expect(pasted.body).toMatchObject({ payments: 1, known: 0 });
    expect([await states(), (await lines()).length]).toEqual([['parsed'], 1]);
  });

  test('is allowed by its own account alone, and by the operator only where the account names none', async () => {
    expect(await judged('OrangeMoney', ['Caisse'])).toEqual(['refused']);
    await api.pool.query('truncate payment_accounts cascade');
    expect(await judged('OrangeMoney', [])).toEqual(['parsed']);
  });
});

test('whatever comes in at the feed is no fault of the server, and no payment', async () => {
  const accountId = await openAccount({ allowedSenders: ['OrangeMoney'] });
  const [sms, wave] = [await openSource(admin, accountId), await openSource(admin, accountId, 'wave')];
  const signed = await openSource(admin, accountId, 'sms', { signingSecret: 'cle-de-signature' });
  await fc.assert(
    fc.asyncProperty(fuzzedCalls(sms, signed, wave), async (call) => {
      expect([200, 400, 401, 404, 413, 415]).toContain((await api.app.inject(call)).statusCode);
    }),
    { numRuns: 300 },
  );
  expect(await lines()).toEqual([]);
});

test('a source that sends too much is told to wait, and another one is not', async () => {
  const busy = await openSource(admin, await openAccount());
  const other = await openSource(admin, await openAccount());
  const limited = await buildSecond(api);
  await api.pool.query(
    "insert into rate_limits (key, points, expire) values ($1, 3000, extract(epoch from now() + interval '10 minutes') * 1000)",
    [`paymentFeedPerSource:${busy.id}`],
  );
  const send = (path: string) =>
    limited.inject({ method: 'POST', url: path, payload: { from: 'OrangeMoney', text: 'Bonjour' } });
  const refused = await send(busy.path);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await send(other.path);
  const kept = await api.pool.query('select source_id as id from payment_messages');
  expect(kept.rows).toEqual([{ id: other.id }]);
  await limited.close();
});
