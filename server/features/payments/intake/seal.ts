import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

export type Seal = ReturnType<typeof openSeal>;

/**
 * Seals texts that only this product reads back: of what strangers send nothing is stored as they sent it. AES-256-GCM under a
 * key of 256 bits.
 */
export function openSeal(key: Buffer) {
  return {
    seal(text: string): string {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    /** Tells whether a text came before, to whoever has the key alone. */
    digest: (text: string): string => createHmac('sha256', key).update(text).digest('base64url'),
    /** The text; undefined where it was sealed under another key. */
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

/** SHA-256 of a source's secret, which is how it is stored and found. */
export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
