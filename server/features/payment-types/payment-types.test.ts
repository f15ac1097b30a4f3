import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { countRows, imageForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
const png = await sharp({ create: { width: 640, height: 320, channels: 3, background: '#f60' } })
  .png()
  .toBuffer();
beforeEach(() => api.pool.query('delete from payment_types'));

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
    icon: null,
    operator: null,
    countries: [],
    isActive: true,
    dialTemplates: [],
    merchantCountries: [],
    refusesExamples: false,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(await countRows(api, 'payment_types', `name = 'Wave' and is_active`)).toBe(1);
});

test('people see the active ones by name, administrators all of them', async () => {
  const { body } = await create('airtel money');
  for (const name of ['Wave', '<b>Zed</b>']) await create(name);
  expect(await namesFor(api.client())).toEqual(['<b>Zed</b>', 'airtel money', 'Wave']);
  expect(await setActive(body.id, false)).toMatchObject({ status: 200, body: { id: body.id, isActive: false } });
  const user = (await buildCaller(api)).client;
  for (const client of [api.client(), user]) expect(await namesFor(client)).toEqual(['<b>Zed</b>', 'Wave']);
  expect(await namesFor(admin)).toEqual(['<b>Zed</b>', 'airtel money', 'Wave']);
  expect(await setActive(body.id, true)).toMatchObject({ status: 200, body: { isActive: true } });
  expect(await namesFor(user)).toContain('airtel money');
});

test.each([undefined, '   ', 7, 'x'.repeat(61)])('the name %j is refused', async (name) => {
  const before = await countRows(api, 'payment_types');
  expect(await create(name)).toMatchObject({ status: 400, body: { code: 'INVALID', issues: [{ path: 'name' }] } });
  expect(await countRows(api, 'payment_types')).toBe(before);
});

test('a name is taken once, whatever its case, by one of many at once', async () => {
  await create('Wave');
  expect(await create('WAVE')).toMatchObject({
    status: 409,
    body: { code: 'PAYMENT_TYPE_TAKEN', message: 'Ce type de paiement existe déjà.' },
  });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index % 2 ? 'Moov' : 'MOOV')));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
  expect(await countRows(api, 'payment_types', `lower(name) = 'moov'`)).toBe(1);
});

const update = (id: number, change: object) => admin.put(`/api/admin/payment-types/${id}`, change);
const upload = async () =>
  (await admin.post('/api/admin/upload-payment-picture', imageForm('picture', png))).body.url as string;

test('a payment type has an icon, an operator and countries, which everybody sees', async () => {
  const fields = { icon: '🟠', operator: ' Orange ', countries: ['+226', '+225'] };
  const { status, body } = await admin.post('/api/admin/payment-types', { ...fields, name: 'Orange Money' });
  expect({ status, body }).toMatchObject({ status: 201, body: { ...fields, operator: 'Orange' } });
  const listed = (await api.client().get('/api/payment-types')).body as { id: number }[];
  expect(listed.find(({ id }) => id === body.id)).toEqual(body);
});

test('what a change names changes, and nothing else', async () => {
  const { body } = await create('Fixe');
  const change = { name: ' Autre ', icon: '🔵', operator: 'Moov', countries: ['+228'] };
  const changed = { ...body, ...change, name: 'Autre', updatedAt: expect.any(String) };
  expect(await update(body.id, { ...change, id: 1, createdAt: 'hier' })).toMatchObject({ status: 200, body: changed });
  expect((await update(body.id, { icon: null })).body).toEqual({ ...changed, icon: null });
  expect((await update(body.id, { countries: [] })).body).toEqual({ ...changed, icon: null, countries: [] });
  const { rows } = await api.pool.query("select details from audit_log where target = $1 and action like 'PUT %'", [
    String(body.id),
  ]);
  expect(rows.map(({ details }) => details.before)).toEqual([
    { name: 'Fixe', icon: null, operator: null, countries: '' },
    { icon: '🔵' },
    { countries: '+228' },
  ]);
});

test.each([
  ['icon', { icon: 'x'.repeat(17) }],
  ['operator', { operator: 'x'.repeat(61) }],
  ['countries', { countries: '+226' }],
  ['countries.0', { countries: ['+33'] }],
  ['countries', { countries: Array(8).fill('+226') }],
  ['pictureUrl', { pictureUrl: 'https://example.org/x.webp' }],
])('%s: %j is refused, when created and when changed', async (field, fields) => {
  const { body } = await create(`R ${JSON.stringify(fields)}`.slice(0, 60));
  const refused = { status: 400, body: { code: 'INVALID', issues: [{ path: field }] } };
  expect(await admin.post('/api/admin/payment-types', { name: 'Refusé', ...fields })).toMatchObject(refused);
  expect(await update(body.id, fields)).toMatchObject(refused);
  expect(await countRows(api, 'payment_types', `name = 'Refusé'`)).toBe(0);
  await admin.delete(`/api/admin/payment-types/${body.id}`);
});

test('its picture is one that was uploaded here, and can be changed and taken away', async () => {
  const [first, second] = [await upload(), await upload()];
  const stored = await api.client().get(first.replace('.webp', '-320.webp'));
  expect(await sharp(stored.raw).metadata()).toMatchObject({ format: 'webp', width: 320, height: 160 });
  const { body } = await admin.post('/api/admin/payment-types', { name: 'Imagé', pictureUrl: first });
  expect(body.pictureUrl).toBe(first);
  expect(await update(body.id, { pictureUrl: second })).toMatchObject({ status: 200, body: { pictureUrl: second } });
  expect(await update(body.id, { name: 'Encore imagé' })).toMatchObject({ body: { pictureUrl: second } });
  expect(await update(body.id, { pictureUrl: null })).toMatchObject({ status: 200, body: { pictureUrl: null } });
});

test('a picture that is not here is refused, and the one that is there stays', async () => {
  const pictureUrl = await upload();
  const { body } = await admin.post('/api/admin/payment-types', { name: 'Gardé', pictureUrl });
  const other = { pictureUrl: `/uploads/${'a'.repeat(32)}.webp` };
  const refused = { status: 400, body: { code: 'INVALID', message: "L'image doit être téléchargée ici." } };
  expect(await update(body.id, other)).toMatchObject(refused);
  expect(await admin.post('/api/admin/payment-types', { name: 'Sans', ...other })).toMatchObject(refused);
  expect(await countRows(api, 'payment_types', `name = 'Sans'`)).toBe(0);
  expect(await api.client().get(pictureUrl)).toMatchObject({ status: 200 });
  // A form sends back the stored image even if that is lost, so only a changed one is checked.
  await api.pool.query('delete from images where url = $1', [pictureUrl]);
  expect(await update(body.id, { pictureUrl, name: 'Gardé quand même' })).toMatchObject({ status: 200 });
});

test('a payment type is deleted, and its name is free; what does not exist is not found', async () => {
  const { body } = await create('Éphémère');
  const answer = await admin.delete(`/api/admin/payment-types/${body.id}`);
  expect(answer).toMatchObject({ status: 200, body: { id: body.id } });
  expect(await create('Éphémère')).toMatchObject({ status: 201 });
  for (const answer of [await setActive(2147483647, true), await admin.delete('/api/admin/payment-types/2147483647')])
    expect(answer).toMatchObject({ status: 404, body: { code: 'PAYMENT_TYPE_NOT_FOUND' } });
});
