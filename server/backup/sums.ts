import { createHash } from 'node:crypto';

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
