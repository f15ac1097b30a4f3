import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ImageSize, imageSizes } from '#contract/uploads.ts';
import { syncFolder } from '#server/process/sync-folder.ts';

const imageUrl = /^\/uploads\/([a-f0-9]{32}\.webp)$/;
const fileName = new RegExp(`^([a-f0-9]{32})(?:-(${imageSizes.join('|')}))?\\.webp$`);

/** A file of an image: the image itself, or one of its sizes. */
export interface ImageFile {
  image: string;
  size: ImageSize | undefined;
}

/** What a file's name says; nothing of one that no image's file has. */
export function readFileName(name: string): ImageFile | undefined {
  const [, stem, size] = fileName.exec(name) ?? [];
  if (!stem) return undefined;
  return { image: `${stem}.webp`, size: imageSizes.find((each) => String(each) === size) };
}

/** Beside the images: whose they are. No image's file is called so, so it is neither shown, listed nor backed up. */
export const ownerFile = 'owner.txt';

/** The file of an image by its address; nothing for an address that no image here has. */
export const fileOfUrl = (url: string): string | undefined => imageUrl.exec(url)?.[1];

export const urlOfFile = (image: string): string => `/uploads/${image}`;

export const nameOfSize = (image: string, size: ImageSize): string => image.replace('.webp', `-${size}.webp`);

/** The names that files of an image may have, its own first. */
export const namesOf = (image: string): string[] => [image, ...imageSizes.map((size) => nameOfSize(image, size))];

/** An image at sizes smaller than its own, in WebP. */
export type SmallerImages = ReadonlyMap<ImageSize, Buffer>;

/** Where images live. Names are random, so an image never changes under its URL, nor does any of its sizes. */
export interface ImageStore {
  /** Stores WebP bytes, with smaller sizes, and answers their URL path. All are kept for good when it answers, or none is. */
  put(webp: Buffer, smaller?: SmallerImages): Promise<string>;
  /** Whether this store made that URL and still has the image. */
  has(url: string): Promise<boolean>;
  /** The URLs of the images of which something was stored at least so many seconds ago. */
  listOlderThan(seconds: number): Promise<string[]>;
  /** Deletes an image with its sizes; one that is gone already is fine. */
  remove(url: string): Promise<void>;
  /** Deletes what writes that never ended left behind at least so many seconds ago. */
  removeUnfinished(seconds: number): Promise<void>;
  /** The names of all files there are, each of an image or of one of its sizes; what a backup keeps. */
  listFiles(): Promise<string[]>;
  readFile(name: string): Promise<Buffer | undefined>;
  /** Puts a file of a backup back under its own name. Throws for a name that is no image's. */
  putBack(name: string, bytes: Buffer): Promise<void>;
  /** The database whose images these are, as it was kept; undefined where it was not. */
  readOwner(): Promise<string | undefined>;
  keepOwner(owner: string): Promise<void>;
  /** Where that is kept, for who looks for it. */
  readonly ownerPlace: string;
}

/** A name of 128 random bits. */
export const newImageName = (): string => `${randomBytes(16).toString('hex')}.webp`;

/** The files of an image with their bytes, the image itself last: what is there under its own name is there whole. */
export const filesInOrder = (image: string, webp: Buffer, smaller: SmallerImages): [name: string, bytes: Buffer][] => [
  ...[...smaller].map(([size, bytes]): [string, Buffer] => [nameOfSize(image, size), bytes]),
  [image, webp],
];

/** What begins so is not written to the end yet: such a name is never served. */
const unfinished = /^\..+\.webp\.[a-f0-9]{8}$/;

const nothingIfAbsent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

/** Images as files of one folder, which several processes may share. */
export function localImageStore(folder: string): ImageStore {
  const names = async () => (await readdir(folder).catch(nothingIfAbsent)) ?? [];
  const at = (name: string) => path.join(folder, name);
  /** Written aside and renamed: a crash leaves no half image under a name that is served. */
  const write = async (name: string, bytes: Buffer) => {
    const aside = at(`.${name}.${randomBytes(4).toString('hex')}`);
    try {
      const file = await open(aside, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(aside, at(name));
    } catch (error) {
      await rm(aside, { force: true }).catch(() => {});
      throw error;
    }
  };
  const writeAll = async (files: readonly [name: string, bytes: Buffer][]) => {
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of files) await write(name, bytes);
    await syncFolder(folder);
  };
  const has = async (url: string) => {
    const name = fileOfUrl(url);
    return name !== undefined && ((await stat(at(name)).catch(nothingIfAbsent))?.isFile() ?? false);
  };
  const remove = async (url: string) => {
    const name = fileOfUrl(url);
    if (name) for (const each of namesOf(name)) await rm(at(each), { force: true });
  };
  const olderThan = async (candidates: readonly string[], seconds: number) => {
    const before = Date.now() - seconds * 1000;
    const old: string[] = [];
    for (const name of candidates) {
      const found = await stat(at(name)).catch(nothingIfAbsent);
      if (found && found.mtimeMs <= before) old.push(name);
    }
    return old;
  };
  return {
    has,
    remove,
    async put(webp, smaller = new Map()) {
      const name = newImageName();
      const url = urlOfFile(name);
      await writeAll(filesInOrder(name, webp, smaller)).catch(async (error: unknown) => {
        await remove(url).catch(() => {});
        throw error;
      });
      return url;
    },
    async listOlderThan(seconds) {
      const files = (await names()).filter((name) => readFileName(name));
      const images = (await olderThan(files, seconds)).map((name) => readFileName(name)?.image as string);
      return [...new Set(images)].map(urlOfFile);
    },
    async removeUnfinished(seconds) {
      const left = (await names()).filter((name) => unfinished.test(name));
      for (const name of await olderThan(left, seconds)) await rm(at(name), { force: true });
    },
    async listFiles() {
      return (await names()).filter((name) => readFileName(name));
    },
    async readFile(name) {
      return readFileName(name) ? readFile(at(name)).catch(nothingIfAbsent) : undefined;
    },
    async putBack(name, bytes) {
      if (!readFileName(name)) throw new Error('no name of an image');
      await writeAll([[name, bytes]]);
    },
    async readOwner() {
      return (await readFile(at(ownerFile), 'utf8').catch(nothingIfAbsent))?.trim();
    },
    keepOwner: (owner) => writeAll([[ownerFile, Buffer.from(`${owner}\n`)]]),
    ownerPlace: at(ownerFile),
  };
}
