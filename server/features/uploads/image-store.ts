import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Where images live. Names are random, so an image never changes under its URL. */
export interface ImageStore {
  /** Stores WebP bytes and answers their URL path. They are on the disk when it answers. */
  put(webp: Buffer): Promise<string>;
  /** Whether this store made that URL and still has the image. */
  has(url: string): Promise<boolean>;
  /** The URLs of the images stored at least so many seconds ago. */
  listOlderThan(seconds: number): Promise<string[]>;
  /** Deletes an image; one that is gone already is fine. */
  remove(url: string): Promise<void>;
  /** The names of all files there are, each of an image or of one of its sizes; what a backup keeps. */
  listFiles(): Promise<string[]>;
  /** A file's bytes, or undefined where it is gone. */
  readFile(name: string): Promise<Buffer | undefined>;
  /** Puts a file of a backup back under its own name. Throws for a name that is no image's. */
  putBack(name: string, bytes: Buffer): Promise<void>;
}

const imageUrl = /^\/uploads\/([a-f0-9]{32}\.webp)$/;
const imageName = /^[a-f0-9]{32}\.webp$/;

/** Images as files of one folder. */
export function localImageStore(folder: string): ImageStore {
  const fileOf = (url: string) => {
    const name = imageUrl.exec(url)?.[1];
    return name ? path.join(folder, name) : undefined;
  };
  const write = async (name: string, bytes: Buffer) => {
    await mkdir(folder, { recursive: true });
    // Written aside and renamed: a crash leaves no half image under a name that is served.
    const unfinished = path.join(folder, `.${name}`);
    const file = await open(unfinished, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path.join(folder, name));
  };
  return {
    async put(webp) {
      const name = `${randomBytes(16).toString('hex')}.webp`;
      await write(name, webp);
      return `/uploads/${name}`;
    },
    async has(url) {
      const file = fileOf(url);
      return (
        file !== undefined &&
        (await stat(file).then(
          (found) => found.isFile(),
          () => false,
        ))
      );
    },
    async listOlderThan(seconds) {
      const before = Date.now() - seconds * 1000;
      const urls = (await readdir(folder).catch(() => [])).map((name) => `/uploads/${name}`);
      const old = await Promise.all(
        urls.map(async (url) => {
          const file = fileOf(url);
          const found = file && (await stat(file).catch(() => undefined));
          return found && found.mtimeMs <= before;
        }),
      );
      return urls.filter((_, index) => old[index]);
    },
    async remove(url) {
      const file = fileOf(url);
      if (file) await rm(file, { force: true });
    },
    async listFiles() {
      return (await readdir(folder).catch(() => [])).filter((name) => imageName.test(name));
    },
    async readFile(name) {
      if (!imageName.test(name)) return undefined;
      return readFile(path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
    },
    async putBack(name, bytes) {
      if (!imageName.test(name)) throw new Error('no name of an image');
      await write(name, bytes);
    },
  };
}
