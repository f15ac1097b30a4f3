import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { backgroundForm, serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { claimImages, requireOwnImages } from './image-owner.ts';
import { ownerFile } from './image-store.ts';

let api: TestApi;
let client: TestClient;
let png: Buffer;
beforeAll(async () => {
  api = await startTestApi();
  ({ client } = await buildAdmin(api));
  png = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#0b6b3a' } })
    .png()
    .toBuffer();
});
afterAll(() => api.close());

const stored = () =>
  readdirSync(api.imagesFolder)
    .filter((name) => name !== ownerFile)
    .map((name) => `/uploads/${name}`);
const upload = async () => (await client.post('/api/admin/upload-background', backgroundForm(png))).body.url as string;
const save = (backgroundImage: string | null) =>
  client.post('/api/admin/background-settings', { backgroundImage, opacity: 30, blur: 5 });

test("a background that is also a service's picture outlives being replaced as background", async () => {
  const created = await client.post('/api/services', serviceForm({ name: 'Avec image' }, png));
  const { pictureUrl } = created.body;
  expect((await save(pictureUrl)).status).toBe(200);
  expect((await save(null)).status).toBe(200);
  expect(stored()).toContain(pictureUrl);
  expect((await client.delete(`/api/admin/services/${created.body.id}`)).status).toBe(200);
  expect(stored()).not.toContain(pictureUrl);
});

test('an image that no row names within a day is deleted; a used one and a fresh one stay', async () => {
  const [used, forgotten, fresh] = [await upload(), await upload(), await upload()];
  expect((await save(used)).status).toBe(200);
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  for (const url of [used, forgotten])
    utimesSync(path.join(api.imagesFolder, path.basename(url)), twoDaysAgo, twoDaysAgo);
  await cleanUp(api);
  expect(stored().sort()).toEqual([used, fresh].sort());
});

test("of another database's images none is deleted, and they keep its name", async () => {
  const { db, images } = api;
  const forgotten = await upload();
  const long = Date.now() / 1000 - 2 * 86_400;
  utimesSync(path.join(api.imagesFolder, path.basename(forgotten)), long, long);
  // As of a backup of the shop that lives on, restored beside it.
  await api.pool.query('update image_owner set name = gen_random_uuid()');
  const owner = await images.readOwner();
  await expect(cleanUp({ db, images })).rejects.toThrow(images.ownerPlace);
  expect(stored()).toContain(forgotten);
  const log = { error: () => expect.fail('said in the log') };
  await expect(requireOwnImages(db, images, log)).rejects.toThrow("celles d'un autre Guichet");
  expect(await images.readOwner()).toBe(owner);

  expect(await claimImages(db, images, { force: true })).toBe(true);
  await requireOwnImages(db, images, log);
  await cleanUp({ db, images });
  expect(stored()).not.toContain(forgotten);
});
