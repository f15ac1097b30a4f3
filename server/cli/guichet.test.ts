import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, nextPhone } from '#server/testing/builders.ts';
import { addressOf, runCommand } from '#server/testing/run-command.ts';
import { printedAdministrator } from '#server/testing/server-process.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { adminCreate, adminRemove, adminReset } from './admin.ts';
import { backup, restoreBackup } from './backup.ts';
import type { Command } from './command.ts';

const api = await startTestApi();

/** Runs a command as an operator whose database that is. */
const guichet = (...words: string[]) => runCommand(words, { DATABASE_URL: addressOf(api) });

test.each<[Command, string[], string]>([
  [adminReset, ['--phone', 'abc'], '--phone attend un numéro mobile'],
  [adminReset, ['--password', 'x'], "n'est pas compris"],
  [adminCreate, [], '--phone attend un numéro mobile international'],
  [adminCreate, ['--phone', '71 00 00 01'], '--phone attend un numéro mobile international'],
  [adminCreate, ['--phone', '+22671000001', '--name', ' '], '--name attend un prénom et un nom'],
  [adminRemove, ['now'], 'Écrivez par exemple : npm run guichet -- admin remove'],
  [backup, [], 'Écrivez par exemple : npm run guichet -- backup guichet.backup'],
  [backup, ['a', 'b'], "« a b » n'est pas compris"],
  [backup, [import.meta.filename], 'existe déjà : donnez un autre nom.'],
  [restoreBackup, ['/nowhere'], "Le fichier /nowhere n'existe pas."],
  [restoreBackup, [import.meta.filename], "n'est pas une sauvegarde de Guichet"],
])('%o with %j is refused in one sentence', async (command, given, sentence) => {
  await expect(command(given, new AbortController().signal)).rejects.toThrow(sentence);
});

test('what is no command is answered with all that can be written', async () => {
  const { status, stdout, stderr } = await guichet('admin', 'delete');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  const [first, ...usages] = stderr.trim().split('\n');
  expect(first).toBe("« admin delete » n'est pas compris. Écrivez :");
  expect(usages.length).toBeGreaterThan(5);
  for (const usage of usages) expect(usage).toMatch(/^ {2}npm run guichet -- [a-z]/);
});

test.each(['--help', '-h', 'help', 'doctor --help'])('%s lists what can be written, and is no fault', async (words) => {
  const { status, stdout, stderr } = await guichet(...words.split(' '));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Écrivez :\n {2}npm run guichet -- admin create /);
});

test('a reader that has enough and goes, as head does, ends a command without a word', async () => {
  const { PATH = '' } = process.env;
  const shell = `"${process.execPath}" "${path.resolve(import.meta.dirname, 'guichet.ts')}" doctor | true`;
  const env = { PATH, DATABASE_URL: addressOf(api) };
  const { stderr } = spawnSync('/bin/sh', ['-c', shell], { encoding: 'utf8', env, cwd: os.tmpdir() });
  expect(stderr).toBe('');
});

test('a customer is made an administrator only once it was said that they are one', async () => {
  const place = await startTestApi();
  const create = (...more: string[]) =>
    runCommand(['admin', 'create', '--phone', user.phone, ...more], { DATABASE_URL: addressOf(place) });
  const { user, client } = await buildCaller(place);
  await place.pool.query("update users set first_name = 'Awa', last_name = 'Diallo' where id = $1", [user.id]);
  const asked = await create();
  expect(asked).toMatchObject({ status: 1, stdout: '' });
  expect(asked.stderr).toContain('Awa Diallo');
  expect(asked.stderr).toContain(`npm run guichet -- admin create --phone ${user.phone} --yes`);
  expect((await client.get('/api/auth/me')).status).toBe(200);
  expect(await create('--yes')).toMatchObject({ status: 0, stderr: '' });
  expect((await client.get('/api/auth/me')).status).toBe(401);
});

test('made-up data are refused in a shop with people, until that is said twice', async () => {
  const place = await startTestApi();
  const settings = { DATABASE_URL: addressOf(place) };
  const seed = (...more: string[]) => runCommand(['seed', '--users', '3', '--tickets', '0', ...more], settings);
  await buildAdmin(place);
  expect(await seed()).toMatchObject({ status: 0, stderr: '' });
  // Those of before are made up too.
  expect(await seed()).toMatchObject({ status: 0, stderr: '' });
  await buildCaller(place);
  const countUsers = () => countRows(place, 'users');
  const before = await countUsers();
  const refused = await seed();
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('a déjà 1 personne');
  expect(refused.stderr).toContain('npm run guichet -- seed --users 3 --tickets 0 --yes');
  expect(await countUsers()).toBe(before);
  expect((await seed('--yes')).status).toBe(0);
  expect(await countUsers()).toBeGreaterThan(before);
});

test('an administrator is made, gets another password, and loses the role; the log says so', async () => {
  const phone = nextPhone();
  const signIn = (password: string | undefined) =>
    api.client().post('/api/auth/signin', { phoneOrEmail: phone, password });
  const made = await guichet('admin', 'create', '--phone', phone, '--name', 'Fatou Diallo');
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const first = printedAdministrator(made.stdout)?.password;
  const role = { status: 200, body: { user: { firstName: 'Fatou', lastName: 'Diallo', isAdmin: true } } };
  expect(await signIn(first)).toMatchObject(role);
  expect((await guichet('admin', 'create', '--phone', phone)).stderr).toContain("déjà celui d'un administrateur");
  expect((await guichet('admin', 'remove', '--phone', phone)).stderr).toBe('Il doit rester un administrateur.\n');

  const reset = await guichet('admin', 'reset', '--phone', phone);
  expect(reset.stdout).toMatch(
    /^Administrateur : \+226 .* · mot de passe : [a-z2-9]{14} \(affiché une seule fois\)\n$/,
  );
  expect((await signIn(first)).status).toBe(401);
  const second = printedAdministrator(reset.stdout)?.password;
  expect(await signIn(second)).toMatchObject(role);

  await buildCaller(api, { isAdmin: true });
  expect(await guichet('admin', 'remove', '--phone', phone)).toMatchObject({ status: 0, stderr: '' });
  expect((await signIn(second)).body.user.isAdmin).toBe(false);
  expect((await guichet('admin', 'reset', '--phone', phone)).stderr).toContain("Aucun administrateur n'a le numéro");
  const { rows } = await api.pool.query("select action from audit_log where ip = 'local' order by id");
  expect(rows.map(({ action }) => action)).toEqual(['admin_create', 'admin_reset', 'admin_remove']);
});
