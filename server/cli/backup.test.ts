import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildUser } from '#server/testing/builders.ts';
import { askOn } from '#server/testing/empty-place.ts';
import { addressOf, runCommand, startCommand } from '#server/testing/run-command.ts';
import { createDatabase, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { whileHeld } from '#server/testing/while-locked.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-cli-backup-'));
const api = await startTestApi();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The settings of an operator whose database that is. */
const settingsOf = (place: Pick<TestApi, 'config'>) => ({
  DATABASE_URL: addressOf(place),
  DATA_DIR: folder,
  BACKUP_PASSPHRASE: 'six mots que personne ne devine',
});

test('a sealed backup is made and restored as an operator does it, and into an empty database only', async () => {
  const { phone } = await buildUser(api.db);
  const file = path.join(folder, 'shop.backup');
  const made = await runCommand(['backup', file], settingsOf(api));
  expect(made).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining(`Sauvegarde faite : ${file} (`),
  });
  expect(made.stdout).toContain('Elle est scellée');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes(phone)).toBe(false);
  const place = await createDatabase();
  const restored = await runCommand(['restore', file], settingsOf(place));
  expect(restored).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Restauration faite : ') });
  expect(await askOn(place.config, 'select phone from users')).toEqual(expect.arrayContaining([{ phone }]));
  const again = await runCommand(['restore', file], settingsOf(place));
  expect(again).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^La base de données n'est pas vide.*\n$/),
  });
});

test('a path that cannot be written is told to who typed it, and is no failed backup of the shop', async () => {
  const place = await startTestApi();
  for (const file of [path.join(folder, 'nowhere', 'x.backup'), '/proc/x.backup']) {
    const { status, stderr } = await runCommand(['backup', file], settingsOf(place));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^La sauvegarde .* ne peut pas être écrite : .*\.\n$/);
  }
  expect(await countRows(place, 'backups')).toBe(0);
});

test('a restored database does not complain of a backup that failed on the server of before', async () => {
  const place = await startTestApi();
  await place.pool.query(`insert into backups (started_at, finished_at, file, bytes, failure)
    values (now() - interval '1 day', now(), 'good', 1, null), (now(), now(), 'bad', null, 'Le disque est plein.')`);
  const file = path.join(folder, 'after-a-failure.backup');
  expect((await runCommand(['backup', file], settingsOf(place))).status).toBe(0);
  const empty = await createDatabase();
  expect((await runCommand(['restore', file], settingsOf(empty))).status).toBe(0);
  expect(await askOn(empty.config, 'select file from backups')).toEqual([{ file: 'good' }]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a backup that gets %s ends with %i, and leaves no file', async (signal, status) => {
  await whileHeld(api.pool, 'lock table users in access exclusive mode', async (holder) => {
    const { end, ended } = startCommand(['backup', path.join(folder, signal)], settingsOf(api));
    await untilBlocked(api.pool, holder);
    end(signal);
    expect(await ended).toEqual({ status, stdout: '', stderr: 'Interrompu.\n' });
  });
  expect(() => statSync(path.join(folder, signal))).toThrow('ENOENT');
});
