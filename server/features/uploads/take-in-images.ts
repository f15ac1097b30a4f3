import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { imageAt, imageSizes } from '#contract/uploads.ts';
import type { Db } from '#server/database/connect.ts';
import { images } from './tables.ts';

/** For the operator to look into. */
interface ErrorLog {
  error(details: { err: unknown; file: string }, message: string): void;
}

const isWhole = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' &&
  bytes.toString('latin1', 8, 12) === 'WEBP' &&
  bytes.readUInt32LE(4) + 8 === bytes.length;

const unlessAbsent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

/**
 * Takes the images of a folder into the database, where they lay in files before, under the same addresses. Files that are in
 * go to the folder `in-database` within; one that cannot be taken stays, and is told in the log.
 */
export async function takeInImages(db: Db, folder: string, log: ErrorLog): Promise<void> {
  const at = (url: string) => path.join(folder, path.posix.basename(url));
  const done = path.join(folder, 'in-database');
  const read = async (url: string) => {
    const bytes = await readFile(at(url)).catch(unlessAbsent);
    if (bytes && !isWhole(bytes)) throw new Error('not a whole WebP file');
    return bytes;
  };
  const takeIn = async (url: string) => {
    const webp = await read(url);
    // Another process took it.
    if (!webp) return;
    const image = {
      url,
      webp,
      webp160: await read(imageAt(url, 160)),
      webp320: await read(imageAt(url, 320)),
      webp640: await read(imageAt(url, 640)),
    };
    await db.insert(images).values(image).onConflictDoNothing();
    await mkdir(done, { recursive: true });
    for (const each of [...imageSizes.map((size) => imageAt(url, size)), url])
      await rename(at(each), path.join(done, path.posix.basename(each))).catch(unlessAbsent);
  };
  const names = (await readdir(folder).catch(unlessAbsent)) ?? [];
  for (const name of names.filter((each) => /^[a-f0-9]{32}\.webp$/.test(each)))
    await takeIn(`/uploads/${name}`).catch((error: unknown) =>
      log.error({ err: error, file: path.join(folder, name) }, 'an image could not be taken into the database'),
    );
}
