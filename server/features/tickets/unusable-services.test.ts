import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import { buildCaller, buildFinalService, buildPaymentType, buildService } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
let client: TestClient;
let userId: number;
let path: { id: number; level: number }[];
beforeAll(async () => {
  api = await startTestApi();
  await buildPaymentType(api.db);
});
afterAll(() => api.close());
beforeEach(async () => {
  const caller = await buildCaller(api);
  client = caller.client;
  userId = caller.user.id;
  path = await buildFinalService(api.db);
});

const file = (fields: object = {}, under = path) => client.post('/api/tickets', orderBody(under, fields));

/** The call is refused so, and the user has no ticket after it. */
async function expectRefusal(answer: TestResponse, status: number, code: string, details: object = {}) {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { code, ...details } });
  expect(await countRows(api, 'tickets', `user_id = ${userId}`)).toBe(0);
}

test.each(['15 000 000 FCFA', '-500 FCFA', 'entre 100 et 200', '1e3', '0,5'])(
  'a stored price %j, which cannot be used, orders nothing, whatever the total and the level it stands on',
  async (price) => {
    const setPrice = (id: number | undefined) =>
      api.pool.query('update services set price = $1 where id = $2', [price, id]);
    const root = await buildService(api.db);
    const [own, below] = [path, await buildService(api.db, { isFinalLevel: true }, root)];
    await setPrice(root[0]?.id);
    await setPrice(own.at(-1)?.id);
    const message = 'Ce service ne se commande pas pour le moment : son prix ne peut pas être lu.';
    for (const under of [own, below])
      for (const totalPrice of [0, 100, 1100])
        await expectRefusal(await file({ totalPrice }, under), 422, 'SERVICE_UNAVAILABLE', { message });
    // Where the person types the amount it is words only, and a price further down holds.
    const typed = await buildService(api.db, { isFinalLevel: true, allowUserPriceInput: true }, root);
    expect(await file({ totalPrice: 1000, userPrice: 1000 }, typed)).toMatchObject({ status: 201 });
    const priced = await buildService(api.db, { isFinalLevel: true, price: 'Gratuit' }, root);
    expect(await file({ totalPrice: 0 }, priced)).toMatchObject({ status: 201, body: { totalPrice: '0' } });
  },
);

test.each(['**21*0022670112233#', '*2767*3855#', '**05*{montant}*1#', '*{service}*XX#', '##002#'])(
  'a stored code %s, which reaches the network or the phone, is given to nobody',
  async (phoneNumber) => {
    await api.pool.query('update services set phone_number = $1 where id = $2', [phoneNumber, path.at(-1)?.id]);
    const { status, body } = await file();
    expect([status, body.dialCode]).toEqual([201, null]);
    expect(await countRows(api, 'tickets', `user_id = ${userId} and dial_code is not null`)).toBe(0);
    // A ticket of an earlier version has one.
    await api.pool.query('update tickets set dial_code = $1 where id = $2', [phoneNumber, body.id]);
    expect((await client.get(`/api/tickets/${body.id}`)).body.dialCode).toBeNull();
  },
);
