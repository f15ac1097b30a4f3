import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnvironment } from '#server/process/environment.ts';
import { startFakePostgres } from '#server/testing/fake-postgres.ts';
import { closeServers, listen, portOf } from '#server/testing/local-servers.ts';
import { cleanUp, createDataFolder } from '#server/testing/server-process.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { checkAddress } from './check-address.ts';
import { checkBackups } from './check-backups.ts';
import { checkDatabase, lookAtClock } from './check-database.ts';
import { checkDisk, checkSecrets } from './check-machine.ts';
import { checkSms } from './check-sms.ts';
import type { Check, Patient } from './finding.ts';

let api: TestApi;
/** A folder of data that nothing is wrong with. */
let home: string;

beforeAll(async () => {
  api = await startTestApi();
  home = createDataFolder();
});
afterAll(async () => {
  closeServers();
  await api.close();
  await cleanUp();
});

/** What a check finds wrong. */
async function faultsOf(
  { look }: Check,
  { settings = {}, ...patient }: Partial<Patient> & { settings?: object } = {},
): Promise<string[]> {
  const environment = { ...readEnvironment({}), ...settings };
  const findings = await look({ environment, home, pool: api.pool, ...patient });
  expect(findings.length).toBeGreaterThan(0);
  return findings.flatMap(({ is, mend }) => (mend ? [is] : []));
}

test('fault 3: a database that may lose what it confirmed', async () => {
  expect(await faultsOf(checkDatabase)).toEqual([]);
  const { host, port, user, password, database } = { ...api.pool.options, password: api.pool.options.password };
  const pool = new pg.Pool({ host, port, user, password, database, options: '-c synchronous_commit=off' });
  expect(await faultsOf(checkDatabase, { pool })).toEqual([expect.stringContaining('synchronous_commit')]);
  await pool.end();
});

test('fault 4: tables of another version', async () => {
  const ran = 'drizzle.__drizzle_migrations';
  await api.pool.query(`insert into ${ran} (hash, created_at) values ('newer', 9999999999999)`);
  expect(await faultsOf(checkDatabase)).toEqual([expect.stringContaining("d'une version plus récente")]);
  await api.pool.query(`delete from ${ran} where hash = 'newer'`);
  const taken = `delete from ${ran} where id = (select max(id) from ${ran}) returning hash, created_at`;
  const [last] = (await api.pool.query<{ hash: string; created_at: string }>(taken)).rows;
  expect(await faultsOf(checkDatabase)).toEqual([expect.stringContaining("d'une version plus ancienne")]);
  await api.pool.query(`insert into ${ran} (hash, created_at) values ($1, $2)`, [last?.hash, last?.created_at]);
});

test('fault 5: clocks that differ', async () => {
  const server = await startFakePostgres(() => ({ now: String(Date.now() + 60_000) }), { now: 701 });
  const pool = new pg.Pool({ host: '127.0.0.1', port: portOf(server), user: 'any' });
  expect(await lookAtClock(pool)).toEqual({
    is: "L'horloge de la base avance de 60 s sur celle de cette machine.",
    mend: expect.stringContaining('timedatectl'),
  });
  await pool.end();
  server.close();
});

test('fault 7: secrets that others may read', async () => {
  const file = path.join(home, 'session-secret');
  writeFileSync(file, 'a secret', { mode: 0o600 });
  expect(await faultsOf(checkSecrets)).toEqual([]);
  chmodSync(file, 0o644);
  expect(await faultsOf(checkSecrets)).toEqual([expect.stringContaining(file)]);
  rmSync(file);
});

test('fault 8: a disk without room', async () => {
  // A file system that never has any.
  expect(await faultsOf(checkDisk, { home: '/proc' })).toEqual([expect.stringContaining('Il reste 0,0 Go')]);
});

test('fault 9: an address that leads elsewhere, or nowhere, or is not encrypted', async () => {
  const other = await listen(http.createServer((_, response) => response.end('{"user":{"id":1}}')));
  const at = (PUBLIC_URL: string) => faultsOf(checkAddress, { settings: { PUBLIC_URL } });
  expect(await at(`http://127.0.0.1:${portOf(other)}`)).toEqual([
    expect.stringContaining("n'est pas servi par ce Guichet-ci"),
  ]);
  expect(await at('http://127.0.0.1:1')).toEqual([expect.stringContaining('ne répond pas')]);
  expect(await at('http://guichet.invalid')).toEqual([
    expect.stringContaining("n'est pas chiffré"),
    expect.stringContaining('ne répond pas'),
  ]);
  expect(await faultsOf(checkAddress, { settings: { NODE_ENV: 'production' } })).toEqual(['PUBLIC_URL manque.']);
});

test('fault 13: no SMS leaves, a gateway fails, or cannot be reached', async () => {
  expect(await faultsOf(checkSms)).toEqual([]);
  expect(await faultsOf(checkSms, { settings: { NODE_ENV: 'production' } })).toEqual([
    expect.stringContaining('Aucun SMS ne quitte cette machine'),
  ]);
  await api.pool.query(
    `insert into sms_gateways (name, position, dial_codes, failure, failures_in_a_row)
     values ('orange', 0, '226', 'clé refusée', 5)`,
  );
  const settings = { SMS_PROVIDER: 'orange', ORANGE_URL: 'http://127.0.0.1:1' };
  expect(await faultsOf(checkSms, { settings })).toEqual([
    expect.stringContaining("orange n'est pas joignable"),
    'Les derniers envois par orange ont tous échoué : clé refusée.',
  ]);
  const there = await listen(http.createServer((_, response) => response.end()));
  settings.ORANGE_URL = `http://127.0.0.1:${portOf(there)}`;
  await api.pool.query('update sms_gateways set failures_in_a_row = 0');
  expect(await faultsOf(checkSms, { settings })).toEqual([]);
  // Some countries' numbers get codes, and the others' wait for ever.
  const partly = { ...settings, NODE_ENV: 'production', SMS_PROVIDER: '226=orange;*=console' };
  expect(await faultsOf(checkSms, { settings: partly })).toEqual([
    "Aucun SMS ne part pour Côte d'Ivoire, Mali, Niger, Bénin, Togo, Sénégal.",
  ]);
});

test('a cap of 0 messages a day', async () => {
  await api.pool.query('insert into sms_settings (per_country_and_day) values (0)');
  expect(await faultsOf(checkSms)).toEqual(['Le plafond est de 0 SMS par jour : aucun code ne part.']);
  await api.pool.query('delete from sms_settings');
});

test('fault 14: backups that are not made, fail, or cannot be written', async () => {
  const at = (BACKUP_DIR: string | undefined) =>
    faultsOf(checkBackups, { settings: { BACKUP_DIR, BACKUP_PASSPHRASE: 'sealed', NODE_ENV: 'production' } });
  expect(await at(undefined)).toEqual([expect.stringContaining("BACKUP_DIR n'est pas réglé")]);
  expect(await at(path.join(home, 'absent'))).toEqual([
    expect.stringContaining('ne peut pas être écrit'),
    "Aucune sauvegarde n'a encore réussi.",
  ]);
  const insert = 'insert into backups (file, started_at, finished_at, failure) values';
  await api.pool.query(`${insert} ('old', now() - interval '3 days', now() - interval '3 days', null)`);
  expect(await at(home)).toEqual([expect.stringContaining('La dernière sauvegarde date du')]);
  await api.pool.query(`${insert} ('failed', now(), null, 'disque plein')`);
  expect(await at(home)).toContain('La dernière sauvegarde a échoué : disque plein');
  await api.pool.query(`${insert} ('good', now() + interval '1 s', now(), null)`);
  expect(await at(home)).toEqual([]);
});
