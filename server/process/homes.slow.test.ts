import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { killFirstStart } from '#server/testing/break-postgres.ts';
import {
  cleanUp,
  createDataFolder,
  createPrivateFolder,
  keepTrackOf,
  query,
  readAdministrator,
  runServer,
  startServer,
} from '#server/testing/server-process.ts';
import { CannotStart } from './cannot-start.ts';

const asRoot = process.getuid?.() === 0;
/** All that a data folder has in it, wherever that lies. */
const everything = [
  'database-password',
  'guichet.json',
  'postgres',
  'postgres-password',
  'session-secret',
  'socket-folder',
];

/** The data folder of a shop that is closed, and its administrator. */
let shop: string;
let administrator: object | undefined;

beforeAll(async () => {
  shop = createDataFolder();
  const server = await startServer(shop);
  [administrator] = await query(shop, 'select first_name, password from users where is_admin');
  expect((await server.end('SIGTERM')).code).toBe(0);
});
afterAll(cleanUp);

const readIdentity = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'guichet.json'), 'utf8')) as { id: string; version: number; home?: string };

/** Copies the shop, as somebody does who makes a backup or puts one back. */
function copyShop(to = createDataFolder()): string {
  cpSync(shop, to, { recursive: true });
  chmodSync(path.join(to, 'postgres'), 0o700);
  return to;
}

/** Starts PostgreSQL on this folder, and finds the shop with its administrator. */
async function expectShop(folder: string): Promise<void> {
  const database = await startEmbeddedDatabase(folder);
  const client = new pg.Client(database.config);
  try {
    await client.connect();
    const { rows } = await client.query('select first_name, password from users where is_admin');
    expect(rows).toEqual([administrator]);
  } finally {
    await client.end();
    await database.stop();
  }
}

/** A start that says in one sentence what was expected where, and makes no database. */
async function expectRefusal(folder: string, ...parts: string[]): Promise<void> {
  const before = readdirSync(folder).sort();
  const refusal: unknown = await startEmbeddedDatabase(folder).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CannotStart);
  const { message } = refusal as CannotStart;
  expect(message).toMatch(/^\p{Lu}.*[.)]$/u);
  for (const part of parts) expect(message).toContain(part);
  expect(readdirSync(folder).sort()).toEqual(before);
}

test('a data folder has an identity and holds everything; it stays the same', async () => {
  expect(readdirSync(shop).sort()).toEqual(everything);
  const identity = readIdentity(shop);
  expect(identity).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), version: 1 });
  await expectShop(shop);
  expect(readIdentity(shop)).toEqual(identity);
});

test('copied to another path, it is the same shop', async () => {
  const copy = copyShop();
  await expectShop(copy);
  expect(findHome(copy)).toBe(copy);
  expect(readdirSync(copy).sort()).toEqual(everything);
});

test("below a folder that PostgreSQL's account may not enter, everything lies in a home that the folder names", async () => {
  const folder = keepTrackOf(path.join(createPrivateFolder(), 'data'));
  const server = await startServer(folder);
  expect((await server.end('SIGTERM')).code).toBe(0);
  const home = findHome(folder);
  expect(home === folder).toBe(!asRoot);
  expect(readdirSync(home).sort()).toEqual(everything);
  if (!asRoot) return;
  expect(home).toMatch(/^\/var\/lib\/guichet-[\da-f-]{36}$/);
  expect(readdirSync(folder)).toEqual(['guichet.json']);
  expect(readIdentity(folder)).toEqual({ ...readIdentity(home), home });
  // What names a home without its database, or another's, opens no empty one instead.
  renameSync(path.join(home, 'postgres'), path.join(home, 'elsewhere'));
  await expectRefusal(folder, path.join(home, 'postgres'), folder);
  renameSync(path.join(home, 'elsewhere'), path.join(home, 'postgres'));
  const own = readIdentity(home);
  writeFileSync(path.join(home, 'guichet.json'), JSON.stringify({ ...own, id: crypto.randomUUID() }));
  await expectRefusal(folder, path.join(home, 'postgres'));
});

test('put back below such a folder, it moves to a home, and nothing stays behind', async () => {
  const folder = keepTrackOf(path.join(createPrivateFolder(), 'data'));
  mkdirSync(folder);
  copyShop(folder);
  await expectShop(folder);
  expect(readdirSync(findHome(folder)).sort()).toEqual(everything);
  if (asRoot) {
    expect(readdirSync(folder)).toEqual(['guichet.json']);
    expect(readIdentity(folder).id).not.toBe(readIdentity(shop).id);
  }
  await expectShop(folder);
});

test('without its database it is refused, and none is made', async () => {
  const folder = copyShop();
  rmSync(path.join(folder, 'postgres'), { recursive: true });
  await expectRefusal(folder, path.join(folder, 'postgres'), path.join(folder, 'guichet.json'));
  // Nor for a folder where a disk should be.
  mkdirSync(path.join(folder, 'postgres'));
  await expectRefusal(folder, path.join(folder, 'postgres'));
});

test("a database that is another account's is left alone, and its owner is named", async () => {
  const folder = copyShop();
  const database = path.join(folder, 'postgres');
  if (asRoot) {
    chownSync(database, 54321, 54321);
    await expectRefusal(folder, database, '54321');
    expect(statSync(database).uid).toBe(54321);
  } else {
    // Somebody else's home, such as root's: what we may not see is no reason to make another.
    const value = { ...readIdentity(folder), home: path.join(createPrivateFolder(), 'home') };
    writeFileSync(path.join(folder, 'guichet.json'), JSON.stringify(value));
    await expectRefusal(folder, value.home);
  }
});

test('an identity that cannot be read is refused', async () => {
  const folder = copyShop();
  writeFileSync(path.join(folder, 'guichet.json'), '{"id":');
  await expectRefusal(folder, path.join(folder, 'guichet.json'));
  rmSync(path.join(folder, 'guichet.json'));
});

test('a first start that was killed once its database was whole is gone on with', async () => {
  const folder = copyShop();
  for (const name of ['guichet.json', 'database-password', 'socket-folder']) rmSync(path.join(folder, name));
  await expectShop(folder);
  expect(readdirSync(folder).sort()).toEqual(everything);
});

test('a first start that was killed is begun anew', async () => {
  const folder = createDataFolder();
  const first = runServer({ DATA_DIR: folder, PORT: '0' });
  await killFirstStart(folder);
  expect(await first).toMatchObject({ code: null, stdout: '' });
  const server = await startServer(folder);
  expect(await readAdministrator(server)).toBeDefined();
  expect((await server.end('SIGTERM')).code).toBe(0);
  expect(readdirSync(folder).filter((name) => /unfinished|initdb/.test(name))).toEqual([]);
});
