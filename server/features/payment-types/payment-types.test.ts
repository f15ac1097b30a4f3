import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildTicket } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());

const create = (name: unknown) => admin.post('/api/admin/payment-types', { name });
const setActive = (id: number, isActive: unknown) => admin.put(`/api/admin/payment-types/${id}`, { isActive });
const namesFor = async (client: TestClient) =>
  (await client.get('/api/payment-types')).body.map((each: { name: string }) => each.name) as string[];

test('a payment type is created active, under its trimmed name', async () => {
  const answer = await create('  Wave  ');
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.any(Number),
    name: 'Wave',
    pictureUrl: null,
    isActive: true,
    createdAt: expect.any(String),
  });
  expect(await countRows(api, 'payment_types', `name = 'Wave' and is_active`)).toBe(1);
});

test('people see the active ones by name, administrators all of them', async () => {
  const { body } = await create('airtel money');
  await create('<b>Zed</b>');
  expect(await namesFor(api.client())).toEqual(['<b>Zed</b>', 'airtel money', 'Wave']);
  expect(await setActive(body.id, false)).toMatchObject({ status: 200, body: { id: body.id, isActive: false } });
  const user = (await buildCaller(api)).client;
  for (const client of [api.client(), user]) expect(await namesFor(client)).toEqual(['<b>Zed</b>', 'Wave']);
  expect(await namesFor(admin)).toEqual(['<b>Zed</b>', 'airtel money', 'Wave']);
  expect(await setActive(body.id, true)).toMatchObject({ status: 200, body: { isActive: true } });
  expect(await namesFor(user)).toContain('airtel money');
});

test('the user-id header of an administrator shows nobody the inactive ones', async () => {
  const { user: administrator, client } = await buildAdmin(api);
  const { body } = await create('Caché');
  await setActive(body.id, false);
  const answer = await api.client().get('/api/payment-types', { 'x-user-id': String(administrator.id) });
  expect(JSON.stringify(answer.body)).not.toContain('Caché');
  expect(await namesFor(client)).toContain('Caché');
});

test.each([undefined, null, '', '   ', 7, ['Wave'], 'x'.repeat(61), 'a\0b'])('the name %j is refused', async (name) => {
  const before = await countRows(api, 'payment_types');
  expect(await create(name)).toMatchObject({ status: 400, body: { code: 'INVALID', issues: [{ path: 'name' }] } });
  expect(await countRows(api, 'payment_types')).toBe(before);
});

test('a blank name gets its own sentence', async () => {
  expect((await create(' ')).body.message).toBe('Le nom du type de paiement est requis.');
});

test('a name is taken once, whatever its case, by one of many at once', async () => {
  expect(await create('WAVE')).toMatchObject({
    status: 409,
    body: { code: 'PAYMENT_TYPE_TAKEN', message: 'Ce type de paiement existe déjà.' },
  });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index % 2 ? 'Moov' : 'MOOV')));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
  expect(await countRows(api, 'payment_types', `lower(name) = 'moov'`)).toBe(1);
});

test.each(['true', 1, null, undefined])('isActive may not be %j', async (isActive) => {
  const { body } = await create(`T ${JSON.stringify(isActive)}`);
  expect(await setActive(body.id, isActive)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  expect(await countRows(api, 'payment_types', `id = ${body.id} and is_active`)).toBe(1);
});

test('only its activity changes', async () => {
  const { body } = await create('Fixe');
  const answer = await admin.put(`/api/admin/payment-types/${body.id}`, { isActive: false, name: 'Autre', id: 1 });
  expect(answer).toMatchObject({ status: 200, body: { id: body.id, name: 'Fixe', isActive: false } });
});

test('a payment type is deleted, and its tickets keep its name', async () => {
  const { body } = await create('Éphémère');
  const { user } = await buildCaller(api);
  const ticket = await buildTicket(api.db, user.id, { paymentTypeId: body.id, paymentTypeName: 'Éphémère' });
  const answer = await admin.delete(`/api/admin/payment-types/${body.id}`);
  expect(answer).toMatchObject({ status: 200, body: { id: body.id } });
  const kept = `id = ${ticket.id} and payment_type_id is null and payment_type_name = 'Éphémère'`;
  expect(await countRows(api, 'tickets', kept)).toBe(1);
  expect(await create('Éphémère')).toMatchObject({ status: 201 });
});

test('what does not exist is not found', async () => {
  for (const answer of [await setActive(2147483647, true), await admin.delete('/api/admin/payment-types/2147483647')])
    expect(answer).toMatchObject({ status: 404, body: { code: 'PAYMENT_TYPE_NOT_FOUND' } });
  expect(await setActive(0, true)).toMatchObject({ status: 400 });
});
