import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { backupLimits } from '#server/process/backup-limits.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const tagBytes = 16;
const lastMark = 0x8000_0000;

/** What a key is derived with, new for each file: so no two files share a key, and no two pieces a nonce. */
export const newSalt = () => randomBytes(16);

/** The key of a file. Two spellings of one text with accents are one passphrase. */
export const keyOf = (passphrase: string, salt: Buffer) =>
  derive(passphrase.normalize('NFC'), salt, 32, backupLimits.scrypt);

/**
 * Seals a stream with AES-256-GCM, piece by piece: each is bound to its place, to whether it is the last one, and to the
 * file's first line, so that none can be changed, moved or left out unseen.
 */
export async function* seal(pieces: AsyncIterable<Buffer>, key: Buffer, bound: Buffer): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  let place = 0;
  const sealed = (content: Buffer, isLast: boolean) => {
    const head = headOf(content.length, isLast);
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place)).setAAD(Buffer.concat([bound, head]));
    place += 1;
    return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  };
  for await (const piece of pieces) {
    pending = Buffer.concat([pending, piece]);
    for (; pending.length > backupLimits.sealedBytes; pending = pending.subarray(backupLimits.sealedBytes))
      yield sealed(pending.subarray(0, backupLimits.sealedBytes), false);
  }
  yield sealed(pending, true);
}

/** What was sealed, as long as nothing of it was changed. Throws where it was, or the key is another one. */
export async function* unseal(pieces: AsyncIterable<Buffer>, key: Buffer, bound: Buffer): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  let place = 0;
  let ended = false;
  for await (const piece of pieces) {
    pending = Buffer.concat([pending, piece]);
    while (pending.length >= 4) {
      const head = pending.subarray(0, 4);
      const isLast = head.readUInt32BE() >= lastMark;
      const length = head.readUInt32BE() % lastMark;
      if (ended || length > backupLimits.sealedBytes) throw new Error('not what was sealed');
      const end = 4 + length + tagBytes;
      if (pending.length < end) break;
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: tagBytes })
        .setAAD(Buffer.concat([bound, head]))
        .setAuthTag(pending.subarray(end - tagBytes, end));
      const content = Buffer.concat([decipher.update(pending.subarray(4, end - tagBytes)), decipher.final()]);
      yield content;
      place += 1;
      ended = isLast;
      pending = pending.subarray(end);
    }
  }
  if (!ended || pending.length > 0) throw new Error('the last sealed piece is missing');
}

function headOf(length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(isLast ? length + lastMark : length);
  return head;
}

function nonceOf(place: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(place, 6, 6);
  return nonce;
}
