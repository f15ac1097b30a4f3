import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { Encrypter } from 'age-encryption';
import fc from 'fast-check';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import { type Entry, entryNames } from './format.ts';
import { restore } from './restore.ts';
import { digestFrameBytes } from './sums.ts';
import { abandonedMs, writeBackupFile } from './write-file.ts';

let folder: string;
let api: TestApi;
const passphrase = 'six mots que personne ne devine';

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-damage-'));
  api = await startTestApi();
  const { id } = await buildUser(api.db);
  for (let count = 0; count < 10; count += 1) await buildTicket(api.db, id);
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

/** Sealed as by hand, with `age`, and at next to no cost: each refusal derives the key again. */
async function sealCheaply(bytes: Buffer): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(4);
  return Buffer.from(await encrypter.encrypt(new Uint8Array(bytes)));
}

/** Of each property. */
const runs = 20;

describe.each([
  { kind: 'plain', given: undefined },
  { kind: 'sealed', given: passphrase },
])('a $kind backup', ({ kind, given }) => {
  let whole: Buffer;
  beforeAll(async () => {
    const file = path.join(folder, `${kind} whole`);
    await backUp(api, { file });
    whole = given ? await sealCheaply(readFileSync(file)) : readFileSync(file);
  });

  test('is opened when it is whole, and only then', async () => {
    expect(await refusalOf(whole, given)).toBe('something was opened');
    const flipped = (at: number, bit: number) => {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      return bytes;
    };
    const refused = expect.stringMatching(
      /coupée ou endommagée|n'est pas une sauvegarde|ou le début de ce fichier est endommagé/,
    );
    const places = [
      0,
      15,
      25,
      40,
      whole.length >> 1,
      whole.length - digestFrameBytes - 1,
      whole.length - digestFrameBytes,
      whole.length - 1,
    ];
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
  let whole: Entry[];
  let table: number;
  let image: number;
  beforeAll(async () => {
    const file = path.join(folder, 'framed');
    await backUp(api, { file });
    const tar = zstdDecompressSync(readFileSync(file).subarray(0, -digestFrameBytes));
    whole = (await unpackTar(tar)).map(({ header, data }) => ({
      name: header.name,
      content: Buffer.from(data ?? []),
    }));
    // As before migration 18, when images were files.
    const old = Buffer.alloc(3_000, 'image');
    const listed = { name: `${'a'.repeat(32)}.webp`, bytes: old.length, sha256: hash('sha256', old) };
    whole = saying((said) => Object.assign(said, { images: [listed] }));
    whole.unshift({ name: entryNames.image(listed.name), content: old });
    image = 0;
    table = whole.findIndex(({ name }) => name === entryNames.part('tickets', 1));
    const [first, second] = halves();
    // Wherever a table is cut into its parts.
    whole.splice(table, 1, { name: entryNames.part('tickets', 1), content: first });
    whole.splice(table + 1, 0, { name: entryNames.part('tickets', 2), content: second });
  });

  const contentOf = (at: number) => whole.at(at)?.content ?? Buffer.alloc(0);
  /** The first of the tickets, and the others. */
  function halves(): [Buffer, Buffer] {
    const rows = contentOf(table);
    const end = rows.indexOf(10) + 1;
    return [rows.subarray(0, end), rows.subarray(end)];
  }
  const withContent = (at: number, content: Buffer) => whole.with(at, { name: whole.at(at)?.name ?? '', content });
  // biome-ignore lint/suspicious/noExplicitAny: whatever the JSON of a manifest says.
  const saying = (change: (said: any) => void) => {
    const said = JSON.parse(contentOf(-1).toString());
    change(said);
    return withContent(whole.length - 1, Buffer.from(JSON.stringify(said)));
  };
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  const ofTickets = (change: (said: any) => void) =>
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    saying(({ tables }) => change(tables.find(({ name }: any) => name === 'tickets')));
  const flipped = (at: number) => {
    const content = Buffer.from(contentOf(at));
    content.writeUInt8(content.readUInt8(0) ^ 1, 0);
    return withContent(at, content);
  };
  const without = (...places: number[]) => whole.filter((_, at) => !places.includes(at));
  const renamed = (from: RegExp, to: string) =>
    whole.map(({ name, content }) => ({ name: name.replace(from, to), content }));
  const made = async (given: Entry[]) => {
    const file = path.join(folder, 'made');
    await writeBackupFile(Readable.from(given), { file, force: true }, async () => {});
    return refusalOf(readFileSync(file));
  };

  test.each<[string, () => Entry[]]>([
    ['a table', () => flipped(table)],
    ['the bytes of an image', () => flipped(image)],
    ['a table without its rows', () => withContent(table, Buffer.alloc(0))],
    ['a table without one of its parts', () => without(table + 1)],
    ['the order of its parts', () => withContent(table, contentOf(table + 1)).with(table + 1, whole[table] as Entry)],
    ['how many bytes a table has', () => ofTickets((said) => said.bytes++)],
    ['how many rows a table has', () => ofTickets((said) => said.rows++)],
    ['the sum of a table', () => ofTickets((said) => Object.assign(said, { sha256: '0'.repeat(64) }))],
    ['whose sums they are', () => ofTickets((said) => Object.assign(said, { name: 'users' }))],
    ['how many bytes an image has', () => saying(({ images }) => images[0].bytes++)],
    ['the sum of an image', () => saying(({ images }) => Object.assign(images[0], { sha256: '0'.repeat(64) }))],
    ['a table that is gone', () => without(table, table + 1)],
    ['a table that the manifest lacks', () => saying(({ tables }) => tables.shift())],
    ['the order of tables', () => saying(({ tables }) => tables.reverse())],
    ['an image that the manifest lacks', () => saying((said) => Object.assign(said, { images: [] }))],
    ['an image that is there twice', () => [...whole.slice(0, image), whole[image] as Entry, ...whole.slice(image)]],
    ['something behind the manifest', () => [...whole, whole[image] as Entry]],
    ['something of no kind', () => renamed(/images/, 'others')],
    ['no manifest', () => without(whole.length - 1)],
  ])('is refused: %s', async (_, entries) => {
    expect(await made(whole)).toBe('something was opened');
    expect(await made(entries())).toContain('coupée ou endommagée');
  });

  test('a later format is named, and so is a tar of something else', async () => {
    expect(await made(renamed(/^guichet-backup-1/, 'guichet-backup-2'))).toContain(
      "d'un format que cette version de Guichet ne connaît pas",
    );
    expect(await made(renamed(/^guichet-backup-1/, 'photos'))).toContain("n'est pas une sauvegarde de Guichet");
  });
});

test('a file of the format before 1.0 is refused in one sentence', async () => {
  const old = Buffer.from('GUICHET-BACKUP 1 zstd plain\n and what follows');
  expect(await refusalOf(old)).toMatch(/^La sauvegarde \S+ est d'un format d'avant la version 1\.0, [^.]*\.$/);
});

test('a sealed backup opens with its passphrase alone, and says which word is missing', async () => {
  const plain = path.join(folder, 'plain');
  await backUp(api, { file: plain });
  const cheap = await sealCheaply(readFileSync(plain));
  expect(await refusalOf(cheap)).toContain('est scellée : donnez sa phrase secrète par le réglage BACKUP_PASSPHRASE');
  expect(await refusalOf(cheap, `${passphrase} !`)).toContain("La phrase secrète (BACKUP_PASSPHRASE) n'est pas celle");
  const file = path.join(folder, 'sealed');
  await backUp(api, { file, passphrase });
  expect(await refusalOf(readFileSync(file), passphrase)).toBe('something was opened');
});

test('a file that is there stays as it is, and what is not finished leaves nothing', async () => {
  const file = path.join(folder, 'mine');
  writeFileSync(file, 'mine');
  await expect(backUp(api, { file })).rejects.toThrow('existe déjà : donnez un autre nom, ou ajoutez --force');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await expect(backUp(api, { file: path.join(folder, 'nowhere/x') })).rejects.toThrow("son dossier n'existe pas");
  const signal = AbortSignal.abort(new Error('stopped'));
  const stopped = backUp(api, { file: path.join(folder, 'stopped'), signal });
  await expect(stopped).rejects.toThrow('stopped');
  expect(namesOf('stopped')).toEqual([]);
});

const namesOf = (base: string) => readdirSync(folder).filter((name) => name.startsWith(base));

test('what a killed backup left does not keep the next one of that name from being made, and goes when it is old', async () => {
  const lefts = ['again.0123abcd.part', 'again.abcd0123.part', 'again.notes.part', 'againy.part'];
  for (const name of lefts) writeFileSync(path.join(folder, name), 'of another process');
  const old = Date.now() / 1000 - abandonedMs / 1000 - 1;
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
    writeBackupFile(Readable.from([{ name: 'word', content: Buffer.from(word) }]), { file }, async (part) => {
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
  await expect(restore({ file, passphrase }, open)).rejects.toThrow("n'est pas scellée");
  await expect(restore({ file, passphrase }, open)).rejects.toThrow('ajoutez --plain');
  await expect(restore({ file, passphrase, plain: true }, open)).rejects.toThrow('something was opened');
  await expect(restore({ file: path.join(folder, 'sealed'), plain: true }, open)).rejects.toThrow('est scellée');
});
