import { ReadableStream } from 'node:stream/web';

/**
 * The logarithm of scrypt's N; age sets r to 8 and p to 1. Deriving the key takes 64 MB and a third of a second, half of
 * OWASP's first choice: twice as much would not fit a server of 512 MB.
 */
export const scryptWorkFactor = 16;

/** The passphrase is another one, or what the key is kept under was changed. */
export class WrongPassphrase extends Error {}

/** Loaded when a backup is sealed or opened, and not at each start. */
const age = () => import('age-encryption');

/** Two spellings of one text with accents are one passphrase. */
const spelled = (passphrase: string) => passphrase.normalize('NFC');

/** Seals a stream under a passphrase, as `age -p` does (https://age-encryption.org/v1). */
export async function* seal(pieces: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const encrypter = new (await age()).Encrypter();
  encrypter.setPassphrase(spelled(passphrase));
  encrypter.setScryptWorkFactor(scryptWorkFactor);
  yield* await encrypter.encrypt(ReadableStream.from(pieces) as globalThis.ReadableStream<Uint8Array>);
}

/** What was sealed, as long as nothing of it was changed. Throws `WrongPassphrase`, or another error where it was. */
export async function* unseal(pieces: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const decrypter = new (await age()).Decrypter();
  decrypter.addPassphrase(spelled(passphrase));
  const sealed = ReadableStream.from(pieces) as globalThis.ReadableStream<Uint8Array>;
  yield* await decrypter.decrypt(sealed).catch((cause: Error) => {
    throw cause.message.startsWith('no identity matched') ? new WrongPassphrase(cause.message, { cause }) : cause;
  });
}
