import { beforeEach, expect, test } from 'vitest';
import { imageLimits } from '#server/process/limits.ts';
import { ImageMemory, type ShownImage } from './served-images.ts';

let now: number;
let memory: ImageMemory;
let loads: number;
beforeEach(() => {
  // The cache takes a clock at zero for one that does not run.
  now = 1;
  loads = 0;
  memory = new ImageMemory({ now: () => now });
});

const shown = (bytes: number): ShownImage => ({ bytes: Buffer.alloc(bytes), etag: '' });
const read = (name: string, load: () => Promise<ShownImage | undefined> = async () => shown(10)) =>
  memory.read(name, () => {
    loads += 1;
    return load();
  });

test('is asked once by many, and for a minute by nobody', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => read('a')));
  for (const other of others) expect(other).toBe(first);
  now += imageLimits.memoryMs;
  expect(await read('a')).toBe(first);
  expect(loads).toBe(1);
  now += 1;
  expect(await read('a')).not.toBe(first);
  expect(loads).toBe(2);
});

test('shows what it has while the store cannot be asked, and nothing once it is gone from there', async () => {
  const first = await read('a');
  const away = () => Promise.reject(new Error('away'));
  now += 10 * imageLimits.memoryMs;
  expect(await read('a', away)).toBe(first);
  await expect(read('b', away)).rejects.toThrow('away');
  expect(await read('a', async () => undefined)).toBeUndefined();
  await expect(read('a', away)).rejects.toThrow('away');
  expect(memory.bytes).toBe(0);
});

test('holds so many bytes, and those asked for last', async () => {
  const third = Math.floor(imageLimits.memoryBytes / 3);
  for (const name of ['a', 'b', 'c']) await read(name, async () => shown(third));
  await read('a');
  await read('d', async () => shown(third));
  expect(loads).toBe(4);
  expect(memory.bytes).toBeLessThanOrEqual(imageLimits.memoryBytes);
  for (const name of ['a', 'c', 'd']) await read(name);
  expect(loads).toBe(4);
  await read('b');
  expect(loads).toBe(5);
  expect(await read('huge', async () => shown(imageLimits.memoryBytes + 1))).toBeDefined();
  expect(memory.bytes).toBeLessThanOrEqual(imageLimits.memoryBytes);
});

test('keeps nothing that is not there, or was forgotten while it was read', async () => {
  await read('b', async () => undefined);
  const reading = Promise.withResolvers<ShownImage>();
  const asked = read('c', () => reading.promise);
  memory.forget(['c']);
  const again = read('c', async () => undefined);
  reading.resolve(shown(10));
  expect(await asked).toBeDefined();
  expect(await again).toBeUndefined();
  expect(memory.bytes).toBe(0);
  expect(loads).toBe(3);
});
