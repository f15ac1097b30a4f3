import { beforeEach, expect, test } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import type { NewService } from '#contract/catalogue-edits.ts';
import { rankServices } from '#server/features/tickets/jobs.ts';
import { serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildService, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(() => api.pool.query('delete from services'));

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

test('what was asked for most in 30 days is told by its place, once a day anew', async () => {
  const root = await build('Télécom');
  const rare = await build('Appels', root, { isFinalLevel: true });
  const often = await build('Forfait', root, { isFinalLevel: true });
  const former = await build('Ancien', root, { isFinalLevel: true });
  const { id: userId } = await buildUser(api.db);
  const places = async () => Object.fromEntries((await listed()).map(({ name, demand }) => [name, demand]));
  expect(await places()).toEqual({ Télécom: undefined, Appels: undefined, Forfait: undefined, Ancien: undefined });
  const file = (path: typeof rare, daysAgo: number) =>
    buildTicket(api.db, userId, { serviceId: path.at(-1)?.id, createdAt: new Date(Date.now() - daysAgo * 86_400_000) });
  await file(rare, 0);
  for (const daysAgo of [28, 29]) await file(often, daysAgo);
  for (let times = 0; times < 4; times += 1) await file(former, 32);
  await rankServices(api);
  expect(await places()).toEqual({ Télécom: undefined, Appels: 2, Forfait: 1, Ancien: undefined });
});
