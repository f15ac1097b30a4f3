import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

export type Seal = ReturnType<typeof openSeal>;

/** Encrypts the texts of messages, so that none is stored in plain text. AES-256-GCM with a key of 256 bits. */
export function openSeal(key: Buffer) {
  return {
    seal(text: string): string {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    /** A keyed digest, which recognises a repeated text. */
    digest: (text: string): string => createHmac('sha256', key).update(text).digest('base64url'),
    /** The plain text; undefined if it was sealed with another key. */
    open(sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** SHA-256 of a source's secret, under which the source is stored and found. */
export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
