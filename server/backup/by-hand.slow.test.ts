import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertImage } from '#server/features/uploads/store.ts';
import { buildTicket, buildUser } from '#server/testing/builders.ts';
import { createDatabase, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import type { Manifest } from './format.ts';

const passphrase = 'six mots que personne ne devine';
let folder: string;
let api: TestApi;
let manifest: Manifest;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-by-hand-'));
  api = await startTestApi();
  const { id } = await buildUser(api.db, { lastName: 'tab\t, line\nbreak, \\N, “Ouédraogo”' });
  for (let count = 0; count < 3; count += 1) await buildTicket(api.db, id);
  await insertImage(api.db, { webp: Buffer.alloc(3_000, 'image') });
  // Rows of 640 KB, of which a part of a table holds one or two.
  const long = "select $1, 'x', repeat(md5(n::text), 20000) from generate_series(1, 4) n";
  await api.pool.query(`insert into notifications (user_id, title, message) ${long}`, [id]);
  ({ manifest } = await backUp(api, { file: path.join(folder, 'plain') }));
  await backUp(api, { file: path.join(folder, 'sealed'), passphrase });
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** age reads a passphrase from a terminal alone, which `script` makes. */
async function openWithAge(sealed: string, opened: string): Promise<void> {
  const age = spawn('script', ['-qefc', `age --decrypt --output '${opened}' '${sealed}'`, '/dev/null']);
  age.stdin.write(`${passphrase}\n`);
  const [said, [code]] = await Promise.all([text(age.stdout), once(age, 'close')]);
  expect(code, said).toBe(0);
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** The folder that `tar` finds in it. */
async function unpacked(tar: string): Promise<string> {
  const into = mkdtempSync(path.join(folder, 'opened-'));
  await promisify(execFile)('tar', ['--zstd', '-xf', tar, '-C', into]);
  return path.join(into, 'guichet-backup-1');
}

/** A tar that anybody's tools open; what they find is what the manifest says, and COPY reads each part of a table. */
async function requireWhole(tar: string): Promise<void> {
  const into = await unpacked(tar);
  const at = (...names: string[]) => path.join(into, ...names);
  const found: Manifest = JSON.parse(readFileSync(at('manifest.json'), 'utf8'));
  expect(found.tables).toEqual(manifest.tables);
  for (const { name, rows, sha256: sum } of found.tables) {
    const parts = readdirSync(at('tables', name))
      .toSorted()
      .map((part) => readFileSync(at('tables', name, part)));
    const content = Buffer.concat(parts);
    expect([name, sha256(content)]).toEqual([name, sum]);
    expect([name, content.toString().split('\n').length - 1]).toEqual([name, rows]);
  }
}

test('a backup is a compressed tar, whose sums are right', () => requireWhole(path.join(folder, 'plain')));

// Debian's package age; whoever lacks it proves the tar alone.
const ages = spawnSync('age', ['--version']).error ? [] : ['age'];

test.each(ages)('a sealed one is such a tar behind the passphrase, which %s opens', async () => {
  const opened = path.join(folder, 'unsealed');
  await openWithAge(path.join(folder, 'sealed'), opened);
  await requireWhole(opened);
});

test('COPY reads each part of a table', async () => {
  const place = await createDatabase();
  const into = await unpacked(path.join(folder, 'plain'));
  const { columns = [], rows } = manifest.tables.find(({ name }) => name === 'notifications') ?? {};
  const parts = readdirSync(path.join(into, 'tables', 'notifications'));
  expect(parts.length).toBeGreaterThan(1);
  const client = new pg.Client(place.config);
  await client.connect();
  await client.query(`create table texts (${columns.map((column) => `"${column}" text`).join(', ')})`);
  for (const part of parts)
    await pipeline(
      createReadStream(path.join(into, 'tables', 'notifications', part)),
      client.query(copyFrom('copy texts from stdin')),
    );
  expect((await client.query('select count(*)::int as rows from texts')).rows).toEqual([{ rows }]);
  await client.end();
});
