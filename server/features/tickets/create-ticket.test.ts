import { beforeEach, describe, expect, test } from 'vitest';
import type { NewService } from '#contract/catalogue-edits.ts';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import {
  buildCaller,
  buildFinalService,
  buildPaymentType,
  buildService,
  buildUser,
  signInAs,
} from '#server/testing/builders.ts';
import { startTestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

let client: TestClient;
let userId: number;
let path: { id: number; level: number }[];
const api = await startTestApi();
await buildPaymentType(api.db);
const retired = await buildPaymentType(api.db, 'Chèque');
await api.pool.query('update payment_types set is_active = false where id = $1', [retired.id]);
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

async function withService(fields: Partial<NewService>): Promise<void> {
  path = await buildFinalService(api.db, fields);
}

const hide = (id: number) => api.pool.query('update services set is_visible = false where id = $1', [id]);

describe('what the server owns', () => {
  test('an order becomes a pending ticket with the path, the price and the code of the database', async () => {
    const answer = await file();
    expect(answer.status).toBe(201);
    const [root, leaf] = path;
    expect(answer.body).toEqual({
      id: expect.any(Number),
      userId,
      serviceId: leaf?.id,
      status: 'pending',
      numberOfBeneficiaries: 1,
      paymentTypeId: expect.any(Number),
      paymentTypeName: 'Orange Money',
      amount: 1000,
      commission: 100,
      totalPrice: '1100',
      dialCode: '*144*10*00000000*1100#',
      dialOperator: null,
      codeReportedAt: null,
      beneficiaryPhoneNumber: '+22670123456',
      rejectReason: null,
      paymentReference: null,
      paymentDeclaredAt: null,
      servicePath: [
        { id: root?.id, name: 'Transfert', price: null, level: 1 },
        { id: leaf?.id, name: 'Envoi', price: '1 000 FCFA', level: 2 },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { rows } = await api.pool.query('select * from tickets where id = $1', [answer.body.id]);
    expect(rows).toMatchObject([{ user_id: userId, status: 'pending', amount: 1000, total_price: '1100' }]);
    const events = await api.pool.query('select status, actor_id, reason from ticket_events where ticket_id = $1', [
      answer.body.id,
    ]);
    expect(events.rows).toEqual([{ status: 'pending', actor_id: userId, reason: null }]);
  });

  test('what the client makes up besides its wish is dropped', async () => {
    const [root, leaf] = path;
    const answer = await file({
      servicePath: [
        { id: root?.id, name: '<script>', price: '0', level: 5 },
        { id: leaf?.id, name: 'Gratuit', price: '0 FCFA', isFinalLevel: true },
      ],
      userId,
      status: 'approved',
      amount: 1,
      commission: 0,
      dialCode: '*144*1#',
      numberOfBeneficiaries: -3,
      createdAt: '2001-01-01T00:00:00Z',
      id: 999_999,
      rejectReason: 'non',
      paymentTypeId: 77,
      isAdmin: true,
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: 'pending',
        amount: 1000,
        commission: 100,
        dialCode: '*144*10*00000000*1100#',
        numberOfBeneficiaries: 1,
        rejectReason: null,
      },
    });
    expect(answer.body.id).not.toBe(999_999);
    expect(answer.body.createdAt > '2026').toBe(true);
    expect(answer.body.servicePath.map((step: { name: string }) => step.name)).toEqual(['Transfert', 'Envoi']);
  });

  test('a ticket in the name of another is refused, and none is made for either', async () => {
    const other = await buildUser(api.db);
    await expectRefusal(await file({ userId: other.id }), 403, 'FORBIDDEN');
    expect(await countRows(api, 'tickets', `user_id = ${other.id}`)).toBe(0);
    expect(await file({ userId: null })).toMatchObject({ status: 201, body: { userId } });
  });
});

async function callerOf(fields: Parameters<typeof buildUser>[1]) {
  const user = await buildUser(api.db, fields);
  return { client: await signInAs(api, user), userId: user.id };
}

describe('the price', () => {
  test.each([999, 1000, 1101, 0, '1099', 20_000_000])('a total of %s is answered with the right one', async (total) => {
    const details = { message: 'Le prix a changé.', expectedTotal: 1100 };
    await expectRefusal(await file({ totalPrice: total }), 409, 'PRICE_CHANGED', details);
  });

  test('the price is the last non-empty one of the path, and a change of it is noticed', async () => {
    const root = await buildService(api.db, { price: '9 000 FCFA' });
    const middle = await buildService(api.db, { price: '2.500 F' }, root);
    const leaf = await buildService(api.db, { isFinalLevel: true, price: '  ' }, middle);
    expect(await file({ totalPrice: '2500' }, leaf)).toMatchObject({ status: 201, body: { amount: 2500 } });
    await api.pool.query("update services set price = '3 000 FCFA' where id = $1", [leaf.at(-1)?.id]);
    const late = await file({ totalPrice: '2500', beneficiaryPhoneNumber: '70 00 00 01' }, leaf);
    expect(late).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED', expectedTotal: 3000 } });
    expect(await countRows(api, 'tickets', `user_id = ${userId}`)).toBe(1);
  });

  test('a typed amount holds with the right total only', async () => {
    await withService({ allowUserPriceInput: true, commissionType: 'percentage', commissionValue: 1.5, price: null });
    const wrong = await file({ userPrice: 5000, totalPrice: '5000' });
    await expectRefusal(wrong, 409, 'PRICE_CHANGED', { expectedTotal: 5075 });
    expect(await file({ userPrice: 5000, totalPrice: '5075' })).toMatchObject({
      status: 201,
      body: { amount: 5000, commission: 75, totalPrice: '5075' },
    });
  });

  test('a total that no amount gives is refused', async () => {
    await withService({ allowUserPriceInput: true, commissionType: 'fixed', commissionValue: 100 });
    for (const totalPrice of [0, 50, 100])
      await expectRefusal(await file({ totalPrice }), 422, 'PRICE_INVALID', {
        message: 'Veuillez saisir un prix pour ce service.',
      });
    expect(await file({ totalPrice: 101 })).toMatchObject({ status: 201, body: { amount: 1, commission: 100 } });
  });
});

describe('the path', () => {
  test('a hidden service at any height closes the whole branch', async () => {
    let tree = await buildService(api.db, { name: 'Niveau 1' });
    for (const level of [2, 3, 4]) tree = await buildService(api.db, { name: `Niveau ${level}` }, tree);
    path = await buildService(api.db, { isFinalLevel: true, price: '1 000 F', commissionValue: 100 }, tree);
    expect(path.length).toBe(5);
    for (const { id } of path) {
      await hide(id);
      const message = "Ce service n'est plus disponible.";
      await expectRefusal(await file(), 422, 'SERVICE_UNAVAILABLE', { message });
      await api.pool.query('update services set is_visible = true where id = $1', [id]);
    }
    const filed = await file();
    expect(filed.status).toBe(201);
    expect(filed.body.servicePath.map((step: { level: number }) => step.level)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a service that is not final, or gone, cannot be asked for', async () => {
    await expectRefusal(await file({}, path.slice(0, 1)), 422, 'SERVICE_UNAVAILABLE');
    await api.pool.query('delete from services where id = $1', [path.at(-1)?.id]);
    await expectRefusal(await file(), 422, 'SERVICE_UNAVAILABLE');
    await expectRefusal(await file({ serviceId: 2_147_483_647 }), 422, 'SERVICE_UNAVAILABLE');
  });

  test('a path that is not the one of the database is refused, in any form', async () => {
    const [root, leaf] = path.map(({ id }) => ({ id }));
    const [elsewhere] = await buildService(api.db);
    for (const servicePath of [
      [leaf],
      [root],
      [leaf, root],
      [elsewhere, leaf],
      [root, root, leaf],
      [root, leaf, leaf],
      [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }],
    ])
      await expectRefusal(await file({ servicePath }), 409, 'PATH_CHANGED');
  });
});

describe('the payment type and the beneficiary', () => {
  test('a payment type is required, and stored under its own name', async () => {
    const blank = { message: 'Type de paiement requis', issues: [{ path: 'paymentTypeName' }] };
    await expectRefusal(await file({ paymentTypeName: '  ' }), 400, 'INVALID', blank);
    expect(await file({ paymentTypeName: ' orange MONEY ' })).toMatchObject({
      status: 201,
      body: { paymentTypeName: 'Orange Money' },
    });
  });

  test('a local number is read in the country of the user', async () => {
    ({ client, userId } = await callerOf({ phone: '+2250709999999', countryCode: '+225' }));
    expect(await file({ beneficiaryPhoneNumber: '07 01 23 45 67' })).toMatchObject({
      status: 201,
      body: { beneficiaryPhoneNumber: '+2250701234567' },
    });
  });

  test('an empty beneficiary gets the sentence of P7.7, an old number of Benin its new form', async () => {
    await expectRefusal(await file({ beneficiaryPhoneNumber: ' ' }), 400, 'INVALID', {
      message: 'Veuillez saisir le numéro du bénéficiaire.',
    });
    const old = await file({ beneficiaryPhoneNumber: '+229 97 12 34 56' });
    await expectRefusal(old, 400, 'PHONE_INVALID', { message: expect.stringContaining('01 97 12 34 56') });
  });

  test('every placeholder of the dial code is filled, the beneficiary with local digits', async () => {
    await withService({ phoneNumber: '*144*{beneficiaire}*{montant}*{service}*XX*XX#' });
    const answer = await file({ beneficiaryPhoneNumber: '+225 07 01 23 45 67' });
    const dialCode = `*144*0701234567*1100*${path.at(-1)?.id}*1100*1100#`;
    expect(answer).toMatchObject({ status: 201, body: { dialCode } });
    const { rows } = await api.pool.query('select dial_code from tickets where id = $1', [answer.body.id]);
    expect(rows).toEqual([{ dial_code: dialCode }]);
  });
});

test.each(['15 000 000 FCFA', 'entre 100 et 200', '0,5'])(
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

test.each(['**21*0022670112233#', '*{service}*XX#'])(
  'a stored code %s, which reaches the network or the phone, is given to nobody',
  async (phoneNumber) => {
    await api.pool.query('update services set phone_number = $1 where id = $2', [phoneNumber, path.at(-1)?.id]);
    const { status, body } = await file();
    expect([status, body.dialCode]).toEqual([201, null]);
    expect(await countRows(api, 'tickets', `user_id = ${userId} and dial_code is not null`)).toBe(0);
  },
);
