import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { imageSizes } from '#contract/uploads.ts';
import { localImageStore, nameOfSize, readFileName } from './image-store.ts';

/** Stores images without end, each file a byte repeated, and says of each when it is there. */
const program = `
  import { imageSizes } from '#contract/uploads.ts';
  import { localImageStore } from '#server/features/uploads/image-store.ts';
  const store = localImageStore(process.argv[1]);
  for (;;) console.log(await store.put(Buffer.alloc(400_000, 1), new Map(imageSizes.map((size) => [size, Buffer.alloc(size * 500, 2)]))));
`;

test('a process that is killed while it stores images leaves whole ones, and no half file under a name that is served', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'guichet-crash-'));
  const told: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, folder], {
      cwd: new URL('../../..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const before = told.length;
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      told.push(...String(chunk).split('\n').filter(Boolean));
      if (told.length > before + 5) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  const store = localImageStore(folder);
  const names = await store.listFiles();
  expect(names.length).toBeGreaterThan(18 * 4 - 1);
  for (const name of names) {
    const bytes = await readFile(path.join(folder, name));
    const { image, size } = readFileName(name) ?? { image: '' };
    expect(bytes.equals(size ? Buffer.alloc(size * 500, 2) : Buffer.alloc(400_000, 1)), name).toBe(true);
    // The image itself comes last: where it is, its sizes are.
    if (!size) expect(names).toEqual(expect.arrayContaining(imageSizes.map((each) => nameOfSize(image, each))));
  }
  for (const url of told) expect(await store.has(url)).toBe(true);
  await rm(folder, { recursive: true });
});
