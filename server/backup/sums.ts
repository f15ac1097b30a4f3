import { createHash } from 'node:crypto';
import { Mismatch } from './format.ts';

/** Adds up what a table or an image is made of, as it passes. */
export class Summing {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #lines = 0;

  add(piece: Buffer): void {
    this.#hash.update(piece);
    this.#bytes += piece.length;
    // PostgreSQL writes a line break within a text as \n, so that each real one ends a row.
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) this.#lines += 1;
  }

  /** Of all so far; it is the last thing asked. */
  end(): { bytes: number; lines: number; sha256: string } {
    return { bytes: this.#bytes, lines: this.#lines, sha256: this.#hash.digest('hex') };
  }
}

/** A frame of 32 bytes that zstd skips: RFC 8878, 3.1.2. */
const digestHead = Buffer.from('502a4d1820000000', 'hex');
export const digestFrameBytes = digestHead.length + 32;

/** What passes, and behind it a frame with its SHA-256. */
export async function* withDigest(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  yield Buffer.concat([digestHead, hash.digest()]);
}

/** The same without the frame. Throws `Mismatch` at the end where the SHA-256 is of something else. */
export async function* withoutDigest(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  for await (const piece of pieces) {
    held = Buffer.concat([held, piece]);
    const content = held.subarray(0, Math.max(0, held.length - digestFrameBytes));
    hash.update(content);
    yield content;
    held = held.subarray(content.length);
  }
  if (!held.equals(Buffer.concat([digestHead, hash.digest()]))) throw new Mismatch('the digest of something else');
}
