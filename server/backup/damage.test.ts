import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { backupLimits } from '#server/process/backup-limits.ts';
import { buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import { digestBytes, type Frame, frame, kinds, readFrames } from './format.ts';
import { restore } from './restore.ts';
import { writeBackupFile } from './write-file.ts';

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

/** Of each property; a sealed file takes a tenth of a second to refuse. */
const runs = inject('scale') === 'full' ? 20 : 4;

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
      { numRuns: 2 * runs },
    );
    await fc.assert(
      fc.asyncProperty(anywhere, async (end) => {
        expect(await refusalOf(whole.subarray(0, end), given)).toEqual(refused);
      }),
      { numRuns: runs },
    );
    expect(await refusalOf(Buffer.concat([whole, Buffer.from('\n')]), given)).toEqual(refused);
  });
});

describe('a file whose digest is right, and whose content is not what its sums say', () => {
  const whole: Frame[] = [];
  let table: number;
  let image: number;
  beforeAll(async () => {
    const file = path.join(folder, 'framed');
    await backUp(api, { file });
    const bytes = readFileSync(file);
    const content = Readable.from([bytes.subarray(bytes.indexOf('\n') + 1, -digestBytes)]).pipe(createZstdDecompress());
    for await (const { kind, content: each } of readFrames(content)) whole.push({ kind, content: Buffer.from(each) });
    // Each is its beginning, one frame of data, and its sums.
    image = whole.findIndex(({ kind }) => kind === kinds.image);
    table = whole.findIndex(({ kind, content: each }) => kind === kinds.table && readJson(each).name === 'tickets');
  });

  const readJson = (content: Buffer) => JSON.parse(content.toString());
  const withContent = (at: number, content: Buffer) => whole.with(at, { kind: whole[at]?.kind ?? 0, content });
  const contentOf = (at: number) => whole.at(at)?.content ?? Buffer.alloc(0);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the JSON of a frame says.
  const saying = (at: number, change: (said: any) => object) => {
    const said = readJson(contentOf(at));
    return withContent(at, Buffer.from(JSON.stringify({ ...said, ...change(said) })));
  };
  const flipped = (at: number) => {
    const content = Buffer.from(contentOf(at));
    content.writeUInt8(content.readUInt8(0) ^ 1, 0);
    return withContent(at, content);
  };
  const without = (...places: number[]) => whole.filter((_, at) => !places.includes(at));
  const last = () => whole.length - 1;

  test.each<[string, () => Frame[]]>([
    ['a table', () => flipped(table + 1)],
    ['the bytes of an image', () => flipped(image + 1)],
    ['a table without its rows', () => without(table + 1)],
    ['how many bytes a table has', () => saying(table + 2, ({ bytes }) => ({ bytes: bytes + 1 }))],
    ['how many rows a table has', () => saying(table + 2, ({ rows }) => ({ rows: rows + 1 }))],
    ['the sum of a table', () => saying(table + 2, () => ({ sha256: '0'.repeat(64) }))],
    ['whose sums they are', () => saying(table + 2, () => ({ name: 'users' }))],
    ['how many bytes an image has', () => saying(image + 2, ({ bytes }) => ({ bytes: bytes + 1 }))],
    ['the sum of an image', () => saying(image + 2, () => ({ sha256: '0'.repeat(64) }))],
    ['a table that is gone', () => without(table, table + 1, table + 2)],
    ['a table that the manifest lacks', () => saying(last(), ({ tables }) => ({ tables: tables.slice(1) }))],
    ['the order of tables', () => saying(last(), ({ tables }) => ({ tables: tables.toReversed() }))],
    ['an image that the manifest lacks', () => saying(last(), () => ({ images: [] }))],
    ['no sums', () => without(table + 2)],
    ['no manifest', () => without(last())],
  ])('is refused: %s', async (_, frames) => {
    const made = async (given: Frame[]) => {
      const file = path.join(folder, 'made');
      const source = Readable.from(given.map(({ kind, content }) => frame(kind, content)));
      await writeBackupFile(source, { file, force: true }, async () => {});
      return refusalOf(readFileSync(file));
    };
    expect(await made(whole)).toBe('something was opened');
    expect(await made(frames())).toContain('coupée ou endommagée');
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
  const signal = AbortSignal.abort(new Error('stopped'));
  const stopped = backUp(api, { file: path.join(folder, 'stopped'), signal });
  await expect(stopped).rejects.toThrow('stopped');
  expect(namesOf('stopped')).toEqual([]);
});

const namesOf = (base: string) => readdirSync(folder).filter((name) => name.startsWith(base));

test('what a killed backup left does not keep the next one of that name from being made, and goes when it is old', async () => {
  const lefts = ['again.0123abcd.part', 'again.abcd0123.part', 'again.notes.part', 'againy.part'];
  for (const name of lefts) writeFileSync(path.join(folder, name), 'of another process');
  const old = Date.now() / 1000 - backupLimits.abandonedMs / 1000 - 1;
  for (const name of lefts.filter((each) => each !== 'again.abcd0123.part'))
    utimesSync(path.join(folder, name), old, old);
  await backUp(api, { file: path.join(folder, 'again') });
  expect(namesOf('again').toSorted()).toEqual(['again', 'again.abcd0123.part', 'again.notes.part', 'againy.part']);
});

test('of two backups of one name at once the first stays as it was made, and the second one is refused', async () => {
  const file = path.join(folder, 'twice');
  const bothWritten = Promise.withResolvers<void>();
  let written = 0;
  const make = (word: string) =>
    writeBackupFile(Readable.from([Buffer.from(word)]), { file }, async (part) => {
      written += 1;
      if (written === 2) bothWritten.resolve();
      await bothWritten.promise;
      return readFileSync(part);
    });
  const made = await Promise.allSettled([make('one'), make('another')]);
  expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  for (const each of made) {
    if (each.status === 'fulfilled') expect(readFileSync(file).equals(each.value.checked)).toBe(true);
    else expect(each.reason.message).toMatch(/existe déjà|une autre sauvegarde vient de prendre ce nom/);
  }
  expect(namesOf('twice')).toEqual(['twice']);
});

test('where backups are sealed, one that is not is restored only when that is asked for', async () => {
  const file = path.join(folder, 'plain');
  const open = () => Promise.reject(new Error('something was opened'));
  await expect(restore({ file, passphrase }, open)).rejects.toThrow('n’est pas scellée');
  await expect(restore({ file, passphrase }, open)).rejects.toThrow('ajoutez --plain');
  await expect(restore({ file, passphrase, plain: true }, open)).rejects.toThrow('something was opened');
  await expect(restore({ file: path.join(folder, 'sealed'), plain: true }, open)).rejects.toThrow('est scellée');
});
