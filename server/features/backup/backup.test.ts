import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import fc from 'fast-check';
import { packTar, unpackTar } from 'modern-tar';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { listMigrations, runOnEmpty } from '#server/database/migrate.ts';
import { insertImage } from '#server/features/uploads/store.ts';
import { buildAdmin, buildCaller, buildTicket, knownPassword } from '#server/testing/builders.ts';
import { askOn as ask, relations } from '#server/testing/empty-place.ts';
import { createDatabase, startTestApi } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import type { Manifest } from './format.ts';
import { restore } from './restore.ts';

/** Texts that a careless format would change. */
const hostile = 'tab\t, line\nbreak, \\N, \\., back\\slash, "quoted", \'œ🇧🇫, \r\n';
const passphrase = 'six mots que personne ne devine';

const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const api = await startTestApi();
const caller = await buildCaller(api, { lastName: hostile });
for (let count = 0; count < 3; count += 1) await buildTicket(api.db, caller.user.id);
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));
const image = { url: await insertImage(api.db, { webp: bytes }), bytes };
await api.pool.query(`insert into otp_flows (phone, purpose) values ('+22670000001', 'reset')`);
await api.pool.query(
  `insert into sms_messages (recipient, body, drop_after) values ('+22670000001', 'code 1234', now() + interval '1 h')`,
);
await backUp(api.config, { file: at('plain') });
/** Backups of it: the plain one, and the same under the passphrase, at next to no cost. */
const plain = readFileSync(at('plain'));
const sealed = await seal(plain);

async function seal(bytes: Buffer): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(4);
  return Buffer.from(await encrypter.encrypt(new Uint8Array(bytes)));
}

/** What is in each of these tables, as PostgreSQL itself adds it up. */
async function sumsOf(config: pg.ClientConfig, tables: readonly string[]): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const name of tables) {
    const sum = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`;
    sums[name] = (await ask<{ sum: string }>(config, sum))[0]?.sum ?? '';
  }
  return sums;
}

const schemaOf = (config: pg.ClientConfig) =>
  ask(
    config,
    `select 'constraint' as kind, conrelid::regclass || ' ' || conname as name, pg_get_constraintdef(oid) || convalidated as what
     from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'trigger', tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) || tgenabled::text
     from pg_trigger where not tgisinternal order by 1, 2`,
  );

test('a backup is one instant, read by its owner alone, and is the same shop elsewhere, where nobody is signed in', async () => {
  const { bytes, manifest } = await backUp(api.config, { file: at('whole') });
  expect(statSync(at('whole'))).toMatchObject({ size: bytes, mode: 0o100600 });
  const place = await createDatabase();
  await restore({ file: at('whole') }, async () => place.config);

  const tables = manifest.tables.map(({ name }) => name);
  expect(tables).toEqual(expect.arrayContaining(['users', 'tickets', 'ticket_events', 'images', 'audit_log']));
  const same = tables.filter((name) => name !== 'backups');
  expect(await sumsOf(place.config, same)).toEqual(await sumsOf(api.config, same));
  expect(await schemaOf(place.config)).toEqual(await schemaOf(api.config));
  const whole = gunzipSync(readFileSync(at('whole')));
  expect([whole.includes(caller.user.phone), whole.includes('code 1234')]).toEqual([true, false]);
  const none = Object.fromEntries(['sessions', 'otp_flows', 'sms_messages'].map((name) => [name, '0 ']));
  expect(await sumsOf(place.config, Object.keys(none))).toEqual(none);

  const restored = await startTestApi({ on: place });
  const former = restored.client();
  for (const [name, value] of caller.client.cookies) former.cookies.set(name, value);
  expect((await former.get('/api/auth/me')).status).toBe(401);
  const again = restored.client();
  const credentials = { phoneOrEmail: caller.user.phone, password: knownPassword };
  expect((await again.post('/api/auth/signin', credentials)).status).toBe(200);
  expect((await again.get('/api/auth/me')).body).toMatchObject({ user: { lastName: hostile } });
  expect((await restored.client().get(image.url)).raw).toEqual(image.bytes);
  // Its sequences stand where they stood, and what is counted was counted again.
  await buildTicket(restored.db, caller.user.id);
  const { client: admin } = await buildAdmin(restored);
  expect((await admin.get('/api/admin/tickets?limit=1')).headers['x-total-count']).toBe('4');
});

test('a backup of the first release restores into this version', async () => {
  const place = await createDatabase();
  const { migration } = await restore({ file: 'server/database/releases/1.0.0.backup' }, async () => place.config);
  expect(migration.number).toBe(1);
  expect(await schemaOf(place.config)).toEqual(await schemaOf(api.config));
});

test("a table that an operator made beside the product's is theirs to restore, and the rest is restored without it", async () => {
  const [own, place] = [await createDatabase(), await createDatabase()];
  const client = new pg.Client(own.config);
  await client.connect();
  await client.query('begin');
  await runOnEmpty(client, listMigrations());
  await client.query('commit');
  await client.query(`insert into users (first_name, last_name, phone) values ('Awa', 'Sawadogo', '+22670000001');
    create table a_report as select 1 as n`);
  await client.end();
  const { manifest } = await backUp(own.config, { file: at('beside') });
  expect(manifest.tables.map(({ name }) => name)).toContain('a_report');
  await restore({ file: at('beside') }, async () => place.config);
  expect(await ask(place.config, "select first_name as name, to_regclass('a_report') as report from users")).toEqual([
    { name: 'Awa', report: null },
  ]);
});

/** What a restoration of these bytes is refused with; it throws where anything but the file is touched. */
async function refusalOf(bytes: Buffer, given: { passphrase?: string } = {}): Promise<string> {
  writeFileSync(at('given'), bytes);
  const open = () => Promise.reject(new Error('verified'));
  return restore({ file: at('given'), ...given }, open).then(
    () => 'restored',
    (error: Error) => error.message,
  );
}

test.each(['plain', 'sealed'])('a %s backup is opened when it is whole, and only then', async (kind) => {
  const [whole, given] = kind === 'plain' ? [plain, {}] : [sealed, { passphrase }];
  expect(await refusalOf(whole, given)).toBe('verified');
  const refused = expect.stringMatching(
    /^[^.]+ (?:coupée ou endommagée|n'est pas une sauvegarde|début de ce fichier est endommagé).*\.$/,
  );
  const anywhere = fc.integer({ min: 0, max: whole.length - 1 });
  await fc.assert(
    fc.asyncProperty(anywhere, async (end) => {
      expect(await refusalOf(whole.subarray(0, end), given)).toEqual(refused);
    }),
    { numRuns: 15 },
  );
  await fc.assert(
    fc.asyncProperty(anywhere, fc.integer({ min: 0, max: 7 }), async (place, bit) => {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
      const refusal = await refusalOf(bytes, given);
      // Some bits of gzip say nothing of the content.
      if (kind === 'plain' && refusal === 'verified') expect(gunzipSync(bytes).equals(gunzipSync(whole))).toBe(true);
      else expect(refusal).toEqual(refused);
    }),
    { numRuns: 30 },
  );
});

/** The plain backup with other files in its tar. */
async function changed(change: (files: { name: string; data: Uint8Array }[]) => void): Promise<Buffer> {
  const files = (await unpackTar(gunzipSync(plain))).map(({ header, data }) => ({
    name: header.name,
    data: data ?? new Uint8Array(),
  }));
  change(files);
  const entries = files.map(({ name, data }) => ({ header: { name, size: data.length }, body: data }));
  return gzipSync(await packTar(entries as Parameters<typeof packTar>[0]));
}

const withManifest = (change: (manifest: Manifest) => object) =>
  changed((files) => {
    const [first] = files;
    const manifest = JSON.parse(Buffer.from(first?.data ?? []).toString()) as Manifest;
    files.splice(0, 1, { name: first?.name ?? '', data: Buffer.from(JSON.stringify(change(manifest))) });
  });

test.each<[string, () => Buffer | Promise<Buffer>, object, string]>([
  ['an empty file', () => Buffer.alloc(0), {}, "n'est pas une sauvegarde de Guichet"],
  ['a text', () => Buffer.from('id;nom\n'), {}, "n'est pas une sauvegarde de Guichet"],
  ['a text, sealed', () => seal(Buffer.from('id;nom\n')), { passphrase }, "n'est pas une sauvegarde de Guichet"],
  ['a tar of something else', () => changed((files) => files.shift()), {}, "n'est pas une sauvegarde de Guichet"],
  ['a table left out', () => changed((files) => files.splice(3, 1)), {}, 'endommagée'],
  ['its last table left out', () => changed((files) => files.pop()), {}, 'endommagée'],
  ['a table twice', () => changed((files) => files.splice(3, 0, ...files.slice(3, 4))), {}, 'endommagée'],
  ['one more table', () => changed((files) => files.push({ name: 'x', data: new Uint8Array() })), {}, 'endommagée'],
  [
    'a changed row',
    () => changed((files) => files.splice(5, 1, { name: files[5]?.name ?? '', data: Buffer.from('x\n') })),
    {},
    'endommagée',
  ],
  ['a manifest of nothing', () => withManifest(() => ({})), {}, 'endommagée'],
  [
    'a later version',
    () => withManifest((made) => ({ ...made, migration: { number: 99, when: 9e12 } })),
    {},
    'version de Guichet que celle-ci ne connaît pas',
  ],
  [
    'a version of before 1.0',
    () => withManifest((made) => ({ ...made, migration: { number: 46, when: 1_795_946_274_787 } })),
    {},
    "d'avant la 1.0",
  ],
  ['sealed, without a passphrase', () => sealed, {}, 'réglage BACKUP_PASSPHRASE'],
  ['sealed, with another passphrase', () => sealed, { passphrase: `${passphrase} !` }, "n'est pas celle"],
  ['not sealed where a passphrase is set', () => plain, { passphrase }, 'avec BACKUP_PASSPHRASE vide'],
])('%s is refused in one sentence, before anything is opened', async (_, make, given, part) => {
  const refusal = await refusalOf(await make(), given);
  expect(refusal).toContain(part);
  expect(refusal).toMatch(/^\p{Lu}[^\n]*\.$/u);
});

test('what is not empty, or breaks a rule of the product, is refused and left as it was', async () => {
  const into = (config: pg.ClientConfig, file = at('plain')) => restore({ file }, async () => config);
  await expect(into(api.config)).rejects.toThrow("La base de données n'est pas vide");
  const place = await createDatabase();
  await ask(place.config, 'create table notes ()');
  await expect(into(place.config)).rejects.toThrow("La base de données n'est pas vide");
  await ask(place.config, 'drop table notes');
  const reversed = ({ columns, ...table }: Manifest['tables'][number]) => ({ ...table, columns: columns.toReversed() });
  const broken = await withManifest((made) => ({ ...made, tables: made.tables.map(reversed) }));
  writeFileSync(at('broken'), broken);
  await expect(into(place.config, at('broken'))).rejects.toThrow(
    "La restauration a échoué et n'a rien laissé dans la base (",
  );
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
  await into(place.config);
});

test('without Guichet, age and tar open a backup, and COPY reads each of its tables', async () => {
  await backUp(api.config, { file: at('sealed'), passphrase });
  expect(readFileSync(at('sealed')).includes(caller.user.phone)).toBe(false);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  writeFileSync(at('opened.tar.gz'), await decrypter.decrypt(new Uint8Array(readFileSync(at('sealed')))));
  await promisify(execFile)('tar', ['-xf', at('opened.tar.gz'), '-C', folder]);
  const unpacked = at('guichet-backup-2');
  const manifest = JSON.parse(readFileSync(path.join(unpacked, 'manifest.json'), 'utf8')) as Manifest;
  expect(readdirSync(unpacked)).toHaveLength(manifest.tables.length + 1);
  for (const { name, rows, bytes } of manifest.tables) {
    const content = readFileSync(path.join(unpacked, `${name}.copy`), 'utf8');
    expect([name, content.split('\n').length - 1, Buffer.byteLength(content)]).toEqual([name, rows, bytes]);
  }
});

test('what cannot be written is refused in a sentence, and nothing is left of it', async () => {
  writeFileSync(at('taken'), 'x');
  writeFileSync(at('busy.part'), 'x');
  const before = readdirSync(folder);
  const made = (file: string) => backUp(api.config, { file });
  await expect(made(at('taken'))).rejects.toThrow('existe déjà');
  await expect(made(folder)).rejects.toThrow('existe déjà');
  await expect(made(path.join(folder, 'none', 'x'))).rejects.toThrow("son dossier n'existe pas");
  await expect(made(path.join(at('taken'), 'x'))).rejects.toThrow("ce n'est pas un dossier");
  await expect(made(at('busy'))).rejects.toThrow('un fichier de ce nom existe déjà');
  const empty = await createDatabase();
  await expect(backUp(empty.config, { file: at('empty') })).rejects.toThrow("n'est pas de cette version");
  await expect(backUp({ ...empty.config, port: 1 }, { file: at('gone') })).rejects.toThrow('a échoué');
  expect(readdirSync(folder)).toEqual(before);
});
