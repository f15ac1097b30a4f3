import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApi } from '#server/testing/test-api.ts';
import { takeInImages } from './take-in-images.ts';

let folder: string;
const api = await startTestApi();
beforeEach(async () => {
  await api.pool.query('delete from images');
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-uploads-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const webpOf = (width: number) =>
  sharp({ create: { width, height: 4, channels: 3, background: '#0b6b3a' } })
    .webp()
    .toBuffer();
const nameOf = (digit: string, size = '') => `${digit.repeat(32)}${size}.webp`;

/** Takes the folder in, and answers the files that the log names. */
async function takeIn(from = folder): Promise<string[]> {
  const told: string[] = [];
  await takeInImages(api.db, from, { error: ({ file }) => told.push(path.basename(file)) });
  return told.toSorted();
}

test('images that were files are shown under their addresses; what is broken stays, and is told each time', async () => {
  const [whole, small, alone] = [await webpOf(700), await webpOf(160), await webpOf(10)];
  const given: Record<string, Buffer> = {
    [nameOf('a')]: whole,
    [nameOf('a', '-160')]: small,
    [nameOf('b')]: alone,
    [nameOf('c')]: whole.subarray(0, -1),
    [nameOf('d')]: Buffer.alloc(0),
    [nameOf('e')]: Buffer.from('an image'),
    [nameOf('f')]: alone,
    [nameOf('f', '-320')]: whole.subarray(1),
    [nameOf('9', '-320')]: small,
    'owner.txt': Buffer.from('of no use any more'),
    [`.${nameOf('8')}.0123abcd`]: alone,
  };
  for (const [name, bytes] of Object.entries(given)) writeFileSync(path.join(folder, name), bytes);
  mkdirSync(path.join(folder, nameOf('7')));

  const broken = [nameOf('7'), ...['c', 'd', 'e', 'f'].map((digit) => nameOf(digit))];
  expect(await takeIn()).toEqual(broken);
  const show = async (name: string) => (await api.client().get(`/uploads/${name}`)).raw;
  expect((await show(nameOf('a'))).equals(whole)).toBe(true);
  expect((await show(nameOf('a', '-160'))).equals(small)).toBe(true);
  expect((await show(nameOf('a', '-640'))).equals(whole)).toBe(true);
  expect((await show(nameOf('b'))).equals(alone)).toBe(true);
  const taken = [nameOf('a'), nameOf('a', '-160'), nameOf('b')];
  expect(readdirSync(path.join(folder, 'in-database')).toSorted()).toEqual(taken.toSorted());
  for (const [name, bytes] of Object.entries(given))
    if (!taken.includes(name)) expect(readFileSync(path.join(folder, name)).equals(bytes)).toBe(true);

  // Once: what is deleted here does not come back.
  await api.pool.query("delete from images where url like '%/bbb%'");
  writeFileSync(path.join(folder, nameOf('c')), whole);
  expect(await takeIn()).toEqual(broken.filter((name) => name !== nameOf('c')));
  const { rows } = await api.pool.query<{ url: string }>('select url from images order by url');
  expect(rows.map(({ url }) => path.basename(url))).toEqual([nameOf('a'), nameOf('c')]);
});

test('what was taken in by a process that then ended is taken once; no folder is no images', async () => {
  const [bytes, other] = [await webpOf(20), await webpOf(21)];
  await api.pool.query('insert into images (url, webp) values ($1, $2)', [`/uploads/${nameOf('1')}`, bytes]);
  writeFileSync(path.join(folder, nameOf('1')), other);
  expect(await takeIn()).not.toContain(nameOf('1'));
  const { rows } = await api.pool.query<{ webp: Buffer }>(
    `select webp from images where url = '/uploads/${nameOf('1')}'`,
  );
  expect(rows.map(({ webp }) => webp.equals(bytes))).toEqual([true]);
  expect(await takeIn(path.join(folder, 'nowhere'))).toEqual([]);
});
