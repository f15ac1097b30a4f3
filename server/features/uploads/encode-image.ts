import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '#contract/failure.ts';
import { imageSizes, largestImage } from '#contract/uploads.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { imageLimits } from '#server/process/limits.ts';
import type { EncodedImage } from './store.ts';

/**
 * Makes a fresh WebP of an uploaded JPEG, PNG or WebP: upright, at most `largestImage` pixels wide or high, without
 * metadata or anything hidden; and the same at each smaller one of `imageSizes`. Damaged files are read as browsers read
 * them, as far as they go. Throws IMAGE_TYPE, IMAGE_UNREADABLE (nothing to be seen, or beyond `imageLimits`), or BUSY.
 */
export type EncodeImage = (bytes: Buffer) => Promise<EncodedImage>;

/** First bytes of the three formats taken; a file's declared type is the sender's word only. */
const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
const signatures: ((bytes: Buffer) => boolean)[] = [
  isJpeg,
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
];

/**
 * The scans of a JPEG, or more: how often the two bytes that begin one stand anywhere. Each goes over all blocks again, so that
 * 240 KB of them take a minute.
 */
function countScans(bytes: Buffer): number {
  let scans = 0;
  for (let at = bytes.indexOf('ffda', 0, 'hex'); at >= 0; at = bytes.indexOf('ffda', at + 2, 'hex')) scans += 1;
  return scans;
}

const program = fileURLToPath(new URL('./image-process.ts', import.meta.url));

/** What a process of an image is given, so that it loads sharp and nothing else. */
export interface ImageOrder {
  bytes: Uint8Array;
  limits: Readonly<Record<'pixels' | 'grownBytes' | 'processorSeconds', number>>;
  sizes: typeof imageSizes;
  largest: number;
}

/** Makes the images of a server one at a time, each in a process of its own, within `imageLimits`. */
export function openImageEncoder(limits: ImageOrder['limits'] & { wallMs: number } = imageLimits): EncodeImage {
  const inTurn = concurrencyLimit(imageLimits.encoding);
  return async (bytes) => {
    if (!signatures.some((matches) => matches(bytes))) throw new Failure('IMAGE_TYPE');
    if (isJpeg(bytes) && countScans(bytes) > imageLimits.scans) throw new Failure('IMAGE_UNREADABLE');
    const image = await inTurn(() =>
      encodeInProcess({ bytes, limits, sizes: imageSizes, largest: largestImage }, limits.wallMs),
    );
    if (!image) throw new Failure('IMAGE_UNREADABLE');
    return image;
  };
}

/** Nothing of a file that cannot be read, or not within the limits: only a process can be ended while it decodes. */
function encodeInProcess(order: ImageOrder, timeout: number): Promise<EncodedImage | null> {
  const { promise, resolve, reject } = Promise.withResolvers<EncodedImage | null>();
  // Nothing of the settings, whose secrets it has no use for.
  const env = { MALLOC_ARENA_MAX: '2' };
  const child = fork(program, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env,
    timeout,
    killSignal: 'SIGKILL',
  });
  child.once('message', (image) => resolve(image as EncodedImage | null));
  // The machine has no processes, files or memory left.
  child.once('error', (cause) => {
    const { retryAfterSeconds: retryAfter } = imageLimits.encoding;
    reject(Object.assign(new Failure('BUSY', { retryAfter }), { cause }));
  });
  child.once('exit', (code, signal) =>
    signal ? resolve(null) : reject(new Error(`the process of an image ended with ${code}`)),
  );
  // Where it ended before it took the order, its end says so.
  child.send(order, () => {});
  return promise;
}
