import { beforeEach, describe, expect, test } from 'vitest';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildFinalService, buildPaymentType, buildTicket } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

let client: TestClient;
let userId: number;
let path: { id: number; level: number }[];
const [api, limited] = await Promise.all([startTestApi(), startTestApi({ rateLimits: 'on' })]);
await buildPaymentType(api.db);
await buildPaymentType(limited.db);
beforeEach(async () => {
  const caller = await buildCaller(api);
  client = caller.client;
  userId = caller.user.id;
  path = await buildFinalService(api.db);
});

const file = (fields: object = {}, key?: string) =>
  client.post('/api/tickets', orderBody(path, fields), key === undefined ? {} : { 'idempotency-key': key });
const mine = () => countRows(api, 'tickets', `user_id = ${userId}`);
const age = (seconds: number) =>
  api.pool.query('update tickets set created_at = created_at - make_interval(secs => $1) where user_id = $2', [
    seconds,
    userId,
  ]);

describe('with a key', () => {
  test('50 identical orders at once are one ticket and 50 equal answers', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => file({}, 'visit-1')));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 50 }, () => 201));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await mine()).toBe(1);
    expect(await countRows(api, 'ticket_events', `ticket_id = ${answers[0]?.body.id}`)).toBe(1);
  });

  test('another order under the same key is refused', async () => {
    expect(await file({}, 'visit-2')).toMatchObject({ status: 201 });
    const { serviceId, servicePath } = orderBody(await buildFinalService(api.db));
    for (const other of [
      { beneficiaryPhoneNumber: '70 12 34 57' },
      { totalPrice: '1200' },
      { userPrice: 3 },
      { paymentTypeName: 'Moov Money' },
      { serviceId, servicePath },
    ])
      expect(await file(other, 'visit-2')).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } });
    expect(await mine()).toBe(1);
  });

  test('the same wish, written otherwise, is the same order', async () => {
    const first = await file({}, 'visit-4');
    const again = await file(
      {
        beneficiaryPhoneNumber: '+226 70 12 34 56',
        totalPrice: 1100,
        paymentTypeName: 'ORANGE MONEY',
        servicePath: JSON.stringify(path),
        userId,
        userPrice: null,
      },
      'visit-4',
    );
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await mine()).toBe(1);
  });

  test('a retry long after is answered even though the service is gone and the ticket decided', async () => {
    const first = await file({}, 'visit-5');
    await age(3600);
    const admin = await buildAdmin(api);
    await admin.client.patch(`/api/tickets/${first.body.id}/status`, { status: 'approved' });
    await admin.client.delete(`/api/admin/services/${path.at(-1)?.id}`);
    expect(await file({}, 'visit-5')).toMatchObject({
      status: 201,
      body: { id: first.body.id, status: 'approved', serviceId: null },
    });
    expect(await mine()).toBe(1);
  });

  test('a refused order leaves the key free', async () => {
    await file({ totalPrice: 1 }, 'visit-6');
    expect(await mine()).toBe(0);
    await file({}, 'visit-6');
    expect(await mine()).toBe(1);
  });
});

describe('without a key', () => {
  test('50 identical orders at once are one ticket', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => file()));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await mine()).toBe(1);
  });

  test('the identical order is the same ticket for 10 seconds, and another one after them', async () => {
    const first = await file();
    await age(5);
    expect(await file()).toMatchObject({ status: 201, body: { id: first.body.id } });
    await age(6);
    const later = await file();
    expect(later.status).toBe(201);
    expect(later.body.id).not.toBe(first.body.id);
    expect(await mine()).toBe(2);
  });
});

describe('60 an hour', () => {
  test('the 61st ticket is refused until the oldest is an hour old; a retry of an earlier one is answered', async () => {
    const caller = await buildCaller(limited);
    const service = await buildFinalService(limited.db);
    const send = (beneficiary: string, key: string) =>
      caller.client.post('/api/tickets', orderBody(service, { beneficiaryPhoneNumber: beneficiary }), {
        'idempotency-key': key,
      });
    for (let index = 0; index < 59; index += 1) await buildTicket(limited.db, caller.user.id);
    const sixtieth = await send('70 00 00 60', 'k60');
    expect(sixtieth.status).toBe(201);

    const refused = await send('70 00 00 61', 'k61');
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const count = () => countRows(limited, 'tickets', `user_id = ${caller.user.id}`);
    expect(await count()).toBe(60);
    expect(await send('70 00 00 60', 'k60')).toMatchObject({ status: 201, body: { id: sixtieth.body.id } });

    const stranger = await buildCaller(limited);
    expect(await stranger.client.post('/api/tickets', orderBody(service))).toMatchObject({ status: 201 });

    await limited.pool.query(
      `update tickets set created_at = now() - interval '61 minutes'
       where id = (select min(id) from tickets where user_id = $1)`,
      [caller.user.id],
    );
    expect(await send('70 00 00 61', 'k61')).toMatchObject({ status: 201 });
    expect(await count()).toBe(61);
  });

  test('40 orders at once, with room for five, are five tickets', async () => {
    const caller = await buildCaller(limited);
    const service = await buildFinalService(limited.db);
    for (let index = 0; index < 55; index += 1) await buildTicket(limited.db, caller.user.id);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        caller.client.post('/api/tickets', orderBody(service, { beneficiaryPhoneNumber: `701234${10 + index}` })),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201).length).toBe(5);
    expect(answers.filter((answer) => answer.status === 429).length).toBe(35);
    expect(await countRows(limited, 'tickets', `user_id = ${caller.user.id}`)).toBe(60);
  });
});
