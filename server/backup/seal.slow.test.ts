import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Encrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { pieceBytes as bytesRead } from './format.ts';
import { scryptWorkFactor, seal, unseal, WrongPassphrase } from './seal.ts';

const passphrase = 'six mots gelés que personne ne devine';
/** Of a file of age: 64 KB and its tag, behind the header and a nonce. */
const pieceBytes = 64 * 1024 + 16;
const nonceBytes = 16;

async function* stream(...pieces: Uint8Array[]) {
  yield* pieces;
}

/** Under the same passphrase as another keyboard writes it, with combining accents. */
const unsealed = async (...pieces: Uint8Array[]) =>
  Buffer.concat(await Readable.from(unseal(stream(...pieces), passphrase.normalize('NFD'))).toArray());

/** At next to no cost; the file says so itself. */
async function sealCheaply(content: Buffer): Promise<{ head: Buffer; pieces: Buffer[] }> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(4);
  const whole = Buffer.from(await encrypter.encrypt(new Uint8Array(content)));
  const headBytes = whole.indexOf('\n', whole.indexOf('\n---') + 1) + 1 + nonceBytes;
  const payload = whole.subarray(headBytes);
  const pieces = Array.from({ length: Math.ceil(payload.length / pieceBytes) }, (_, at) =>
    payload.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
  return { head: whole.subarray(0, headBytes), pieces };
}

test('what is sealed is a file of age, in which equal pieces do not look alike, and opens again', async () => {
  const content = Buffer.alloc(bytesRead * 2);
  const whole = Buffer.concat(await Readable.from(seal(stream(content), passphrase)).toArray());
  expect(whole.toString('latin1')).toMatch(
    new RegExp(`^age-encryption\\.org/v1\n-> scrypt [\\w+/]{22} ${scryptWorkFactor}\n`),
  );
  expect((await unsealed(whole)).equals(content)).toBe(true);
  const windows = Array.from({ length: content.length / 32 }, (_, at) => whole.toString('hex', at * 32, at * 32 + 32));
  expect(new Set(windows).size).toBe(windows.length);
});

test('a piece that is moved, left out, sent twice, or taken from another file is refused', async () => {
  const content = randomBytes(64 * 1024 * 3 + 5);
  const { head, pieces } = await sealCheaply(content);
  const [first, second, third, last] = pieces as [Buffer, Buffer, Buffer, Buffer];
  expect((await unsealed(head, ...pieces)).equals(content)).toBe(true);
  const other = await sealCheaply(content);
  expect(other.pieces[0]?.equals(first)).toBe(false);
  for (const [name, changed] of Object.entries({
    swapped: [head, second, first, third, last],
    'left out': [head, first, third, last],
    'sent twice': [head, first, first, second, third, last],
    'without its end': [head, first, second, third],
    'with more behind its end': [head, first, second, third, last, last],
    'ended by another': [head, first, second, last],
    'of another file': [head, first, second, third, other.pieces[3] as Buffer],
    'under another head': [other.head, ...pieces],
    'without its pieces': [head],
    'without its head': pieces,
    empty: [],
  }))
    await expect(unsealed(...changed), name).rejects.toThrow();
});

test('another passphrase opens nothing', async () => {
  const { head, pieces } = await sealCheaply(Buffer.from('secret'));
  const wrong = Readable.from(unseal(stream(head, ...pieces), `${passphrase} !`)).toArray();
  await expect(wrong).rejects.toThrow(WrongPassphrase);
});
