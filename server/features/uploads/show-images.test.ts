import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { imageSizes } from '#contract/uploads.ts';
import { imageLimits } from '#server/process/image-limits.ts';
import { type ImageStore, localImageStore, type SmallerImages } from './image-store.ts';
import { type ShownImages, showImages } from './show-images.ts';

/** A store as an earlier version left it: images without sizes. */
let folder: string;
let store: ImageStore;
/** The images whose sizes were kept, in order; and what the log said. */
let made: string[];
let logged: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'guichet-images-'));
  store = localImageStore(folder);
  made = [];
  logged = [];
});
afterEach(() => rm(folder, { recursive: true }));

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 130, b: 60 } } })
    .webp()
    .toBuffer();
const files = async () => (await readdir(folder)).toSorted();
const nameOf = (url: string, size?: number) => url.slice(9).replace('.webp', size ? `-${size}.webp` : '.webp');
const widthOf = async (bytes: Buffer | undefined) => (await sharp(bytes).metadata()).width;

/** The images as a process shows them that was started just now; `keep` is done before sizes are kept. */
function start(keep = async (): Promise<void> => {}): ShownImages {
  const addSizes = async (url: string, smaller: SmallerImages) => {
    made.push(url);
    await keep();
    await store.addSizes(url, smaller);
  };
  const log = { error: (_: object, message: string) => void logged.push(message) };
  return showImages({ ...store, addSizes }, log);
}

describe('an image of an earlier version', () => {
  test('gets its sizes when one is first asked for, all at once, and never again', async () => {
    const url = await store.put(await picture(480, 240));
    const images = start();
    const asked = imageSizes.flatMap((size) => Array.from({ length: 10 }, () => images.show(nameOf(url, size))));
    const widths = await Promise.all((await Promise.all(asked)).map((shown) => widthOf(shown?.bytes)));
    expect(widths).toEqual([...Array(10).fill(160), ...Array(10).fill(320), ...Array(10).fill(480)]);
    expect(await files()).toEqual([nameOf(url, 160), nameOf(url, 320), nameOf(url)]);
    const again = await start().show(nameOf(url, 160));
    expect(await widthOf(again?.bytes)).toBe(160);
    expect(again?.isLasting).toBe(true);
    expect(made).toEqual([url]);
  });

  test('that is damaged is shown as it is, and looked at once', async () => {
    const whole = await picture(480, 240);
    const url = await store.put(whole.subarray(0, whole.length / 2));
    for (const images of [start(), start()])
      for (const size of imageSizes) {
        const shown = await images.show(nameOf(url, size));
        expect(shown?.bytes.equals(whole.subarray(0, whole.length / 2))).toBe(true);
      }
    expect(made).toEqual([url]);
  });

  test('whose head says nothing is shown as it is, and not decoded', async () => {
    const name = `${'b'.repeat(32)}.webp`;
    await writeFile(path.join(folder, name), 'no image at all');
    expect((await start().show(name.replace('.webp', '-160.webp')))?.bytes.toString()).toBe('no image at all');
    expect(made).toEqual([]);
  });

  test('is shown at the size asked for also where it cannot be kept', async () => {
    const url = await store.put(await picture(480, 240));
    const images = start(() => Promise.reject(new Error('ENOSPC')));
    const shown = await images.show(nameOf(url, 160));
    expect(await widthOf(shown?.bytes)).toBe(160);
    expect(logged).toEqual(['the sizes of an image could not be kept']);
    expect(await files()).toEqual([nameOf(url)]);
  });

  test('that is deleted while its sizes are made stays deleted', async () => {
    const url = await store.put(await picture(480, 240));
    const images = start(() => images.remove(url));
    await images.show(nameOf(url, 160));
    expect(await files()).toEqual([]);
    for (const size of [undefined, 320]) expect(await images.show(nameOf(url, size))).toBeUndefined();
  });
});

test('whoever asks for the sizes of all old images has some made, and gets the others as they are, for the time being', async () => {
  const { atOnce, waiting } = imageLimits.makingSizes;
  const inTurn = atOnce + waiting;
  const urls: string[] = [];
  for (let index = 0; index < inTurn + 3; index += 1) urls.push(await store.put(await picture(400 + index, 240)));
  const held = Promise.withResolvers<void>();
  const images = start(() => held.promise);
  const early: string[] = [];
  const answers = urls.map(async (url) => {
    const shown = await images.show(nameOf(url, 160));
    if (shown && !shown.isLasting) early.push(url);
    return shown;
  });
  // None of those in turn is answered yet: all others are.
  await vi.waitFor(() => expect(early).toHaveLength(urls.length - inTurn), { interval: 5 });
  await vi.waitFor(() => expect(made).toHaveLength(atOnce), { interval: 5 });
  held.resolve();
  for (const [index, shown] of (await Promise.all(answers)).entries()) {
    const url = urls[index] as string;
    expect(await widthOf(shown?.bytes)).toBe(early.includes(url) ? 400 + index : 160);
  }
  expect(made.toSorted()).toEqual(urls.filter((url) => !early.includes(url)).toSorted());
  for (const url of early) expect((await images.show(nameOf(url, 160)))?.isLasting).toBe(true);
  expect(made.toSorted()).toEqual(urls.toSorted());
});
