import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeholderMerchant } from '#contract/dial-code.ts';
import { readEnvironment } from '#server/process/environment.ts';
import { buildAdmin, buildFinalService } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { checkBackups } from './check-backups.ts';
import { checkDatabase } from './check-database.ts';
import { checkCatalogue, checkContact, checkSettings, checkUnusable } from './check-settings.ts';
import type { Check } from './finding.ts';

let api: TestApi;
let home: string;
beforeAll(async () => {
  api = await startTestApi();
  home = mkdtempSync(path.join(os.tmpdir(), 'guichet-doctor-'));
});
afterAll(async () => {
  await api?.close();
  rmSync(home, { recursive: true, force: true });
});

const production = { NODE_ENV: 'production', ALARM_PHONE: '+22670000000' };

/** What a check finds wrong, each with how to mend it. */
async function faultsOf({ look }: Check, settings: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const findings = await look({ environment: readEnvironment({ DATA_DIR: home, ...settings }), home, pool: api.pool });
  return findings.flatMap(({ is, mend }) => (mend ? [is] : []));
}

test('the merchant number of the example in codes that people dial', async () => {
  expect(await faultsOf(checkCatalogue, production)).toEqual([]);
  const service = (await buildFinalService(api.db)).at(-1);
  await api.pool.query('update services set phone_number = $1 where id = $2', [
    `*144*10*${placeholderMerchant}*{montant}#`,
    service?.id,
  ]);
  expect(await faultsOf(checkCatalogue)).toEqual([]);
  expect(await faultsOf(checkCatalogue, production)).toEqual([
    "Le code de « Envoi » porte le numéro de marchand d'exemple 00000000.",
  ]);
});

test('codes of the network, and prices that cannot be read, stored before they were refused', async () => {
  expect(await faultsOf(checkUnusable)).toEqual([]);
  await buildFinalService(api.db, { name: 'Renvoi' });
  await api.pool.query("update services set phone_number = '**21*0022670112233#' where name = 'Renvoi'");
  expect(await faultsOf(checkUnusable)).toEqual([
    "Des codes ne sont ceux d'aucun portefeuille, et ne sont donnés à personne : « Renvoi ».",
  ]);
  await api.pool.query("update services set price = '-500 F', phone_number = null where name = 'Renvoi'");
  expect(await faultsOf(checkUnusable)).toEqual([
    'Des prix ne peuvent pas être lus, et rien ne se commande à ces prix : « Renvoi ».',
  ]);
});

test('no contact is a hint and no fault, in one line', async () => {
  const environment = readEnvironment({ DATA_DIR: home, ...production });
  const look = () => checkContact.look({ environment, home, pool: api.pool });
  const [hint, ...others] = await look();
  expect(hint?.is).toContain('« Nous contacter » ne mène à personne');
  expect([hint?.mend, ...others]).toEqual([undefined]);
  await api.pool.query("insert into contact_settings (email) values ('aide@exemple.bf')");
  expect(await look()).toEqual([{ is: '« Nous contacter » mène à vous.' }]);
  await api.pool.query('update contact_settings set email = null');
  expect(await look()).toEqual([hint]);
});

test('nobody who is told of alarms', async () => {
  const said = [expect.stringContaining('Ni ALARM_PHONE ni ALARM_WEBHOOK')];
  expect(await faultsOf(checkSettings, { NODE_ENV: 'production' })).toEqual(said);
  expect(await faultsOf(checkSettings, production)).toEqual([]);
  const webhook = { NODE_ENV: 'production', ALARM_WEBHOOK: 'https://hooks.example/x' };
  expect(await faultsOf(checkSettings, webhook)).toEqual([]);
  expect(await faultsOf(checkSettings)).toEqual([]);
});

test('the first password among the settings once there is an administrator', async () => {
  const ADMIN_PASSWORD = 'ce-mot-ne-se-dit-pas';
  expect(await faultsOf(checkSettings, { ADMIN_PASSWORD })).toEqual([]);
  await buildAdmin(api);
  const faults = await faultsOf(checkSettings, { ADMIN_PASSWORD });
  expect(faults).toEqual([expect.stringContaining('ADMIN_PASSWORD est encore là')]);
  expect(faults.join()).not.toContain(ADMIN_PASSWORD);
});

test('figures that everybody may read', async () => {
  for (const METRICS_HOST of ['0.0.0.0', '::'])
    expect(await faultsOf(checkSettings, { METRICS_PORT: '9464', METRICS_HOST })).toEqual([
      expect.stringContaining('sans mot de passe, à qui atteint le port 9464'),
    ]);
  expect(await faultsOf(checkSettings, { METRICS_PORT: '9464' })).toEqual([]);
  expect(await faultsOf(checkSettings, { METRICS_HOST: '0.0.0.0' })).toEqual([]);
});

test.each([
  ['postgres://u:secret@db.example/guichet', ['db.example']],
  ['postgres://u:secret@10.0.0.2,10.0.0.3:5433/guichet?sslmode=prefer', ['10.0.0.2', '10.0.0.3']],
  ['postgres://u:secret@[2001:db8::1]/guichet', ['[2001:db8::1]']],
  ['postgres://u:secret@db.example/guichet?sslmode=verify-full', []],
  ['postgres://u:secret@db.example/guichet?sslmode=require', []],
  ['postgres://u:secret@127.0.0.1/guichet', []],
  ['postgres://u:secret@localhost/guichet', []],
  ['postgres://u:secret@[::1]/guichet', []],
  ['postgres://u:secret@database/guichet', []],
  ['postgres://u:secret@db.example/guichet?host=/var/run/postgresql', []],
])('a database elsewhere without encryption: %s', async (DATABASE_URL, hosts) => {
  const faults = await faultsOf(checkSettings, { ...production, DATABASE_URL });
  expect(faults).toEqual(
    hosts.map((host) => expect.stringContaining(`PostgreSQL sur ${host} n'a pas à être chiffrée`)),
  );
  expect(faults.join()).not.toContain('secret');
});

test('an index that PostgreSQL does not read', async () => {
  expect(await faultsOf(checkDatabase)).toEqual([]);
  const valid = (is: boolean) =>
    api.pool.query(`update pg_index set indisvalid = ${is} where indexrelid = 'tickets_service'::regclass`);
  await valid(false);
  expect(await faultsOf(checkDatabase)).toEqual([
    "L'index tickets_service est invalide : PostgreSQL ne s'en sert pas.",
  ]);
  await valid(true);
});

test('triggers that rest', async () => {
  await api.pool.query('alter table tickets disable trigger all');
  expect(await faultsOf(checkDatabase)).toEqual([
    expect.stringMatching(/^\d+ déclencheurs de la table tickets ne se déclenchent pas/),
  ]);
  await api.pool.query('alter table tickets enable trigger all');
  expect(await faultsOf(checkDatabase)).toEqual([]);
});

test('backups that everybody may read, or that lie beside the data unsealed', async () => {
  await api.pool.query("insert into backups (file, started_at, finished_at) values ('good', now(), now())");
  const folder = path.join(home, 'backups');
  mkdirSync(folder);
  const file = path.join(folder, 'by-hand.backup');
  writeFileSync(file, 'x', { mode: 0o600 });
  const sealed = { BACKUP_DIR: folder, BACKUP_PASSPHRASE: 'six mots que personne ne devine' };
  expect(await faultsOf(checkBackups, { ...production, ...sealed })).toEqual([]);
  chmodSync(file, 0o644);
  expect(await faultsOf(checkBackups, { ...production, ...sealed })).toEqual([expect.stringContaining(file)]);
  chmodSync(file, 0o640);
  expect(await faultsOf(checkBackups, { ...production, BACKUP_DIR: folder })).toEqual([
    expect.stringContaining('sont sur le disque des données'),
  ]);
  expect(await faultsOf(checkBackups, { BACKUP_DIR: folder })).toEqual([]);
  // Another disk than that of the data, on every Linux.
  expect(await faultsOf(checkBackups, { ...production, BACKUP_DIR: '/proc' })).not.toContainEqual(
    expect.stringContaining('sont sur le disque des données'),
  );
});
