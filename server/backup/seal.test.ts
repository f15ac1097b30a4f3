import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { backupLimits } from '#server/process/backup-limits.ts';
import { seal, unseal } from './seal.ts';

const key = randomBytes(32);
const bound = Buffer.from('GUICHET-BACKUP 1 zstd sealed\n');
const sealedPiece = 4 + backupLimits.sealedBytes + 16;

async function* stream(...pieces: Buffer[]) {
  yield* pieces;
}

/** What is sealed of these bytes, cut into its pieces; all but the last are of one length. */
async function sealedPieces(content: Buffer): Promise<Buffer[]> {
  const whole = Buffer.concat(await Readable.from(seal(stream(content), key, bound)).toArray());
  return Array.from({ length: Math.ceil(whole.length / sealedPiece) }, (_, at) =>
    whole.subarray(at * sealedPiece, (at + 1) * sealedPiece),
  );
}

const unsealed = async (pieces: Buffer[], given = bound) =>
  Buffer.concat(await Readable.from(unseal(stream(...pieces), key, given)).toArray());

test('equal pieces are sealed under nonces of their own, so that none of them look alike', async () => {
  const pieces = await sealedPieces(Buffer.alloc(backupLimits.sealedBytes * 1_000));
  expect(pieces).toHaveLength(1_000);
  // The content is zeros, so what is sealed is the key stream that the nonce makes; one nonce twice would be the same twice.
  const streams = pieces.map((piece) => piece.subarray(4, 36).toString('hex'));
  expect(new Set(streams).size).toBe(1_000);
});

test('a piece that is moved, left out, sent twice, or taken from another file is refused', async () => {
  const content = randomBytes(backupLimits.sealedBytes * 3 + 5);
  const pieces = await sealedPieces(content);
  const [first, second, third, last] = pieces as [Buffer, Buffer, Buffer, Buffer];
  expect((await unsealed(pieces)).equals(content)).toBe(true);
  for (const [name, changed] of Object.entries({
    swapped: [second, first, third, last],
    'left out': [first, third, last],
    'sent twice': [first, first, second, third, last],
    'without its end': [first, second, third],
    'with more behind its end': [first, second, third, last, last],
    'ended by another': [first, second, last],
    empty: [],
  }))
    await expect(unsealed(changed), name).rejects.toThrow();
  await expect(unsealed(pieces, Buffer.from('GUICHET-BACKUP 1 zstd sealed 2\n'))).rejects.toThrow();
  const [other] = await sealedPieces(content);
  expect(other?.equals(first)).toBe(true);
});
