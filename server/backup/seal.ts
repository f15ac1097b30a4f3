import { ReadableStream } from 'node:stream/web';
import { backupLimits } from '#server/process/backup-limits.ts';

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
  encrypter.setScryptWorkFactor(backupLimits.scryptWorkFactor);
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
