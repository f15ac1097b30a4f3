import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import { digestBytes } from './format.ts';
import { restore } from './restore.ts';

let folder: string;
let api: TestApi;
const passphrase = 'six mots que personne ne devine';

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-damage-'));
  api = await startTestApi();
  const { id } = await buildUser(api.db);
  for (let count = 0; count < 10; count += 1) await buildTicket(api.db, id);
  await api.images.put(Buffer.alloc(3_000, 'image'));
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a restoration of these bytes is refused with. It throws where anything but the file is touched. */
async function refusalOf(bytes: Buffer, given?: string): Promise<string> {
  const file = path.join(folder, 'given');
  writeFileSync(file, bytes);
  const open = () => Promise.reject(new Error('something was opened'));
  return restore({ file, passphrase: given }, open).then(
    () => 'restored',
    (error: Error) => error.message,
  );
}

describe.each([
  { kind: 'plain', given: undefined },
  { kind: 'sealed', given: passphrase },
])('a $kind backup', ({ kind, given }) => {
  let whole: Buffer;
  beforeAll(async () => {
    const file = path.join(folder, kind);
    await backUp(api, { file, passphrase: given });
    whole = readFileSync(file);
  });

  test('is opened when it is whole, and only then', async () => {
    expect(await refusalOf(whole, given)).toBe('something was opened');
    const flipped = (at: number, bit: number) => {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      return bytes;
    };
    const refused = expect.stringMatching(/coupée ou endommagée|n’est pas une sauvegarde|ne connaît pas/);
    const places = [0, 15, 25, 40, whole.length >> 1, whole.length - digestBytes - 1, whole.length - 1];
    for (const at of places) expect(await refusalOf(flipped(at, 0), given)).toEqual(refused);
    const anywhere = fc.integer({ min: 0, max: whole.length - 1 });
    await fc.assert(
      fc.asyncProperty(anywhere, fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        expect(await refusalOf(flipped(at, bit), given)).toEqual(refused);
      }),
      { numRuns: 40 },
    );
    await fc.assert(
      fc.asyncProperty(anywhere, async (end) => {
        expect(await refusalOf(whole.subarray(0, end), given)).toEqual(refused);
      }),
      { numRuns: 20 },
    );
    expect(await refusalOf(Buffer.concat([whole, Buffer.from('\n')]), given)).toEqual(refused);
  });
});

test('a sealed backup shows nothing without its passphrase, and says which word is missing', async () => {
  const file = path.join(folder, 'sealed');
  const sealed = readFileSync(file);
  expect(await refusalOf(sealed)).toContain('est scellée : donnez sa phrase secrète par le réglage BACKUP_PASSPHRASE');
  expect(await refusalOf(sealed, `${passphrase} !`)).toContain('La phrase secrète (BACKUP_PASSPHRASE) n’est pas celle');
  // The same text as another keyboard writes it, with combining accents.
  const accented = path.join(folder, 'accented');
  await backUp(api, { file: accented, passphrase: 'clé à molette gelée' });
  expect(await refusalOf(readFileSync(accented), 'clé à molette gelée'.normalize('NFD'))).toBe('something was opened');
  await backUp(api, { file: accented, passphrase, force: true });
  // Neither two headers nor two contents of the same backup look alike.
  expect(readFileSync(accented).subarray(64, 128)).not.toEqual(sealed.subarray(64, 128));
});

test('a file that is there stays as it is, and what is not finished leaves nothing', async () => {
  const file = path.join(folder, 'mine');
  writeFileSync(file, 'mine');
  await expect(backUp(api, { file })).rejects.toThrow('existe déjà : donnez un autre nom, ou ajoutez --force');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await expect(backUp(api, { file: path.join(folder, 'nowhere/x') })).rejects.toThrow('son dossier n’existe pas');
  writeFileSync(path.join(folder, 'other.part'), 'of another process');
  const taken = backUp(api, { file: path.join(folder, 'other') });
  await expect(taken).rejects.toThrow('supprimez le fichier en .part');
  expect(readFileSync(path.join(folder, 'other.part'), 'utf8')).toBe('of another process');
  const signal = AbortSignal.abort(new Error('stopped'));
  const stopped = backUp(api, { file: path.join(folder, 'stopped'), signal });
  await expect(stopped).rejects.toThrow('stopped');
  expect(() => readFileSync(path.join(folder, 'stopped.part'))).toThrow('ENOENT');
});
