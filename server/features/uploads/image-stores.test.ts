import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '#server/process/environment.ts';
import { startFakeS3 } from '#server/testing/fake-s3.ts';
import type { ImageStore } from './image-store.ts';
import { openImageStore } from './open-image-store.ts';

/** A store of each kind, and what stands behind it. */
interface Place {
  store: ImageStore;
  /** What it keeps, whatever it is, by name. */
  contents(): Promise<Record<string, string>>;
  /** Puts something there that the store did not. */
  leave(name: string): Promise<void>;
  age(name: string, seconds: number): Promise<void>;
  close(): Promise<void>;
}

const log = { error: (details: object) => expect.fail(JSON.stringify(details)) };

async function folder(): Promise<Place> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'guichet-store-'));
  const at = (name: string) => path.join(place, name);
  return {
    store: await openImageStore(readEnvironment({}), place, log),
    contents: async () =>
      Object.fromEntries(
        await Promise.all((await readdir(place)).map(async (name) => [name, await readFile(at(name), 'latin1')])),
      ),
    leave: (name) => writeFile(at(name), 'left'),
    age: (name, seconds) => utimes(at(name), Date.now() / 1000 - seconds, Date.now() / 1000 - seconds),
    close: () => rm(place, { recursive: true }),
  };
}

async function bucket(prefix: string): Promise<Place> {
  const standIn = await startFakeS3();
  standIn.pageLength = 2;
  const settings = readEnvironment({ ...standIn.settings, S3_PREFIX: prefix });
  const object = (name: string) => standIn.objects.get(prefix + name);
  const put = (name: string, text: string) =>
    standIn.objects.set(prefix + name, { bytes: Buffer.from(text), headers: {}, changedAt: new Date() });
  return {
    store: await openImageStore(settings, '/nowhere/at/all', log),
    contents: async () =>
      Object.fromEntries(
        [...standIn.objects].map(([key, { bytes }]) => [key.slice(prefix.length), bytes.toString('latin1')]),
      ),
    leave: async (name) => void put(name, 'left'),
    age: async (name, seconds) => {
      const found = object(name);
      if (found) found.changedAt = new Date(Date.now() - seconds * 1000);
    },
    close: () => standIn.close(),
  };
}

describe.each<[string, () => Promise<Place>]>([
  ['a folder', folder],
  ['a bucket', () => bucket('')],
  ['folders of a bucket', () => bucket('guichet/ancien/')],
])('images in %s', (_, open) => {
  let place: Place;
  let store: ImageStore;
  beforeEach(async () => {
    place = await open();
    ({ store } = place);
  });
  afterEach(() => place.close());

  const smaller = new Map([
    [160, Buffer.from('small')],
    [640, Buffer.from('larger')],
  ] as const);
  const nameOf = (url: string, size = '') => url.slice('/uploads/'.length).replace('.webp', `${size}.webp`);
  const nowhere = `/uploads/${'0'.repeat(32)}.webp`;

  test('are there, with their sizes, under a name of their own', async () => {
    const [url, other] = [await store.put(Buffer.from('whole'), smaller), await store.put(Buffer.from('alone'))];
    expect(url).toMatch(/^\/uploads\/[a-f0-9]{32}\.webp$/);
    expect(await place.contents()).toEqual({
      [nameOf(url)]: 'whole',
      [nameOf(url, '-160')]: 'small',
      [nameOf(url, '-640')]: 'larger',
      [nameOf(other)]: 'alone',
    });
    expect(await Promise.all([url, other, nowhere, '/uploads/x', nameOf(url)].map((each) => store.has(each)))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect((await store.readFile(nameOf(url, '-160')))?.toString()).toBe('small');
    for (const name of [nameOf(url, '-320'), nameOf(nowhere), nameOf(url, '-161'), '', '../x', '.'])
      expect(await store.readFile(name), name).toBeUndefined();
  });

  test('are of whoever marked them last, and the mark is no image', async () => {
    expect(await store.readOwner()).toBeUndefined();
    await store.keepOwner('one');
    await store.keepOwner('another');
    expect(await store.readOwner()).toBe('another');
    expect(await place.contents()).toEqual({ 'owner.txt': 'another\n' });
    expect(store.ownerPlace).toMatch(/\/owner\.txt$/);
    expect(await store.listFiles()).toEqual([]);
    await place.age('owner.txt', 10_000);
    expect(await store.listOlderThan(1)).toEqual([]);
    await store.removeUnfinished(1);
    expect(await store.readFile('owner.txt')).toBeUndefined();
    expect(await store.readOwner()).toBe('another');
  });

  test('are deleted with their sizes, also twice, and nothing else is', async () => {
    const [url, other] = [await store.put(Buffer.from('whole'), smaller), await store.put(Buffer.from('alone'))];
    for (const each of [url, url, nowhere, '/uploads/../x.webp', nameOf(other)]) await store.remove(each);
    expect(await place.contents()).toEqual({ [nameOf(other)]: 'alone' });
  });

  test("are listed once they are old, whichever of their files is left; what is no image's never", async () => {
    const [old, fresh] = [await store.put(Buffer.from('whole'), smaller), await store.put(Buffer.from('alone'))];
    const orphan = `${'b'.repeat(32)}-320.webp`;
    for (const name of [orphan, 'notes.txt']) await place.leave(name);
    for (const name of [nameOf(old), nameOf(old, '-160'), orphan, 'notes.txt']) await place.age(name, 100);
    expect((await store.listOlderThan(99)).toSorted()).toEqual([old, `/uploads/${'b'.repeat(32)}.webp`].toSorted());
    expect(await store.listOlderThan(101)).toEqual([]);
    expect(await store.listOlderThan(0)).toContain(fresh);
    await store.remove(`/uploads/${'b'.repeat(32)}.webp`);
    expect(Object.keys(await place.contents())).not.toContain(orphan);
  });

  test('go into a backup file by file, and come back under their names', async () => {
    const url = await store.put(Buffer.from('whole'), smaller);
    await store.put(Buffer.from('alone'));
    await place.leave('notes.txt');
    const names = await store.listFiles();
    const { 'notes.txt': _, ...images } = await place.contents();
    expect(names.toSorted()).toEqual(Object.keys(images).toSorted());
    const kept = await Promise.all(names.map(async (name) => [name, await store.readFile(name)] as const));
    await store.remove(url);
    for (const [name, bytes] of kept) await store.putBack(name, bytes as Buffer);
    expect(await place.contents()).toEqual({ ...images, 'notes.txt': 'left' });
    for (const name of ['../x.webp', 'x.webp', `${'a'.repeat(32)}-99.webp`, `.${'a'.repeat(32)}.webp`])
      await expect(store.putBack(name, Buffer.from('x')), name).rejects.toThrow('no name of an image');
  });
});

test('a folder loses what a crash left half written, once it is old', async () => {
  const { store, contents, leave, age, close } = await folder();
  const half = `.${'c'.repeat(32)}-160.webp.0123abcd`;
  for (const name of [half, half.replace('0123', '4567'), '.keep']) await leave(name);
  for (const name of [half, '.keep']) await age(name, 100);
  expect([await store.listFiles(), await store.listOlderThan(0)]).toEqual([[], []]);
  await store.removeUnfinished(99);
  expect(Object.keys(await contents()).toSorted()).toEqual([half.replace('0123', '4567'), '.keep'].toSorted());
  await close();
});
