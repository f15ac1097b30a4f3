import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimImages } from '#server/features/uploads/image-owner.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { buildPaymentType } from '#server/testing/builders.ts';
import { askOn as ask, makeEmptyPlace, relations } from '#server/testing/empty-place.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

let folder: string;
let api: TestApi;
let image: { url: string; bytes: Buffer };
const ends: (() => unknown)[] = [];
const emptyPlace = () => makeEmptyPlace(ends);

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-backup-'));
  api = await startTestApi();
  const bytes = Buffer.from('an image');
  image = { url: await api.images.put(bytes, new Map([[160, bytes]])), bytes };
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('beside images that are not in the backup nothing is restored, unless that is asked for', async () => {
  const file = path.join(folder, 'drill');
  await backUp(api, { file, force: true });
  const place = await emptyPlace();
  // Of the shop that lives on: the backup's own, and one that came later.
  await place.images.putBack(path.basename(image.url), image.bytes);
  const later = path.basename(await place.images.put(Buffer.from('later')));
  const refused = restore({ file }, async () => place);
  await expect(refused).rejects.toThrow(`(1, dont ${later}) : si un autre Guichet s'en sert`);
  expect((await place.images.listFiles()).toSorted()).toEqual([path.basename(image.url), later].toSorted());
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
  await restore({ file, force: true }, async () => place);
  expect(await place.images.listFiles()).toHaveLength(3);
});

test('onto the images of a shop that lives on nothing is restored, though all of them are in the backup', async () => {
  const file = path.join(folder, 'fresh');
  await claimImages(api.db, api.images);
  const owner = await api.images.readOwner();
  await backUp(api, { file });
  const place = { ...(await emptyPlace()), images: api.images };
  const refused = restore({ file }, async () => place);
  await expect(refused).rejects.toThrow("celles d'un autre Guichet");
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
  expect(await api.images.readOwner()).toBe(owner);

  // Of the shop itself, whose database is lost: they are the new one's from then on.
  await restore({ file, force: true }, async () => place);
  const [own] = await ask<{ name: string }>(place.config, 'select name from image_owner');
  expect(own?.name).not.toBe(owner);
  expect(await api.images.readOwner()).toBe(own?.name);
  expect(await claimImages(api.db, api.images)).toBe(false);
  await claimImages(api.db, api.images, { force: true });
});

test('an image that comes between the images and the snapshot is in the backup', async () => {
  const file = path.join(folder, 'meanwhile');
  const bytes = Buffer.from('of a service that was saved meanwhile');
  const url = await api.images.put(bytes);
  await buildPaymentType(api.db, 'Meanwhile');
  await api.pool.query("update payment_types set picture_url = $1 where name = 'Meanwhile'", [url]);
  const name = path.basename(url);
  let listed = 0;
  const images: ImageStore = {
    ...api.images,
    async listFiles() {
      listed += 1;
      const names = await api.images.listFiles();
      // As the folder was when it was listed the first time.
      return listed === 1 ? names.filter((each) => each !== name) : names;
    },
  };
  const { lost, manifest } = await backUp({ config: api.config, images }, { file });
  expect(lost).toEqual([]);
  expect(manifest.images.map((each) => each.name)).toContain(name);
  expect(new Set(manifest.images.map((each) => each.name)).size).toBe(manifest.images.length);
  const place = await emptyPlace();
  await restore({ file }, async () => place);
  expect((await place.images.readFile(name))?.equals(bytes)).toBe(true);
});

test('an image of which only a size is left is said to be lost', async () => {
  const bytes = Buffer.from('whole');
  const url = await api.images.put(bytes, new Map([[160, bytes]]));
  await buildPaymentType(api.db, 'Moov');
  await api.pool.query("update payment_types set picture_url = $1 where name = 'Moov'", [url]);
  rmSync(path.join(api.imagesFolder, path.basename(url)));
  const { lost } = await backUp(api, { file: path.join(folder, 'lost') });
  expect(lost).toEqual([url]);
});
