import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewService, Service } from '#contract/catalogue.ts';
import { serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildService } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
beforeEach(() => api.pool.query('delete from services'));
afterAll(() => api.close());

const build = (name: string, under: Awaited<ReturnType<typeof buildService>> = [], fields: Partial<NewService> = {}) =>
  buildService(api.db, { name, ...fields }, under);
const listed = async () => (await api.client().get('/api/catalogue')).body as Service[];
const names = async () => (await listed()).map(({ name }) => name);

test('the catalogue is every level of it, parents before children, neighbours in their order', async () => {
  const telecom = await build('Télécom', [], { sortOrder: 2 });
  const transfer = await build('Transfert', [], { sortOrder: 1 });
  const country = await build('Niger', telecom);
  await build('Zamani', country);
  await build('Airtel', country, { sortOrder: -1 });
  await build('Envoi', transfer, { isFinalLevel: true });
  expect(await names()).toEqual(['Transfert', 'Télécom', 'Niger', 'Envoi', 'Airtel', 'Zamani']);
});

test('a hidden service takes all that is below it out, at any depth, and nothing else', async () => {
  const shown = await build('Montré');
  await build('Dessous', shown);
  const root = await build('Caché', [], { isVisible: false });
  await build('Sous un caché', await build('Enfant', root));
  const middle = await build('Milieu', shown, { isVisible: false });
  await build('Sous le milieu', middle, { isFinalLevel: true });
  expect(await names()).toEqual(['Montré', 'Dessous']);
  const id = middle.at(-1)?.id;
  expect((await admin.put(`/api/admin/services/${id}`, serviceForm({ isVisible: true }))).status).toBe(200);
  expect(await names()).toEqual(['Montré', 'Dessous', 'Milieu', 'Sous le milieu']);
});
