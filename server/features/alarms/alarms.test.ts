import { createHmac } from 'node:crypto';
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { countries } from '#contract/phone.ts';
import { connect } from '#server/database/connect.ts';
import { readEnvironment } from '#server/process/environment.ts';
import {
  buildAdmin,
  buildDialTemplate,
  buildFinalService,
  buildMerchantNumber,
  buildPaymentType,
  buildTicket,
  buildUser,
} from '#server/testing/builders.ts';
import { type Asked, startFakeGateway } from '#server/testing/gateways/fake-gateway.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { conditions, type Watched, watchedBy } from './conditions.ts';
import { type AlarmMonitor, openAlarmMonitor } from './monitor.ts';
import { listAlarms, recordAlarm } from './store.ts';

let watched: Watched;
const api = await startTestApi();
await api.pool.query('delete from services; delete from payment_types');
beforeEach(async () => {
  await api.pool.query(`${clean}; delete from alarms`);
  watched = { ...api, ...watchedBy(readEnvironment({ BACKUP_DIR: '/tmp' }), undefined) };
  watched.readRoom = async () => ({ free: 5e9, total: 10e9 });
});

/** What each condition that holds says, by its key. */
async function findHolding(of: Partial<Watched> = {}): Promise<Record<string, string>> {
  const all = await Promise.all(
    conditions.map(async ({ key, check }) => [key, await check({ ...watched, ...of })] as const),
  );
  return Object.fromEntries(all.flatMap(([key, sentence]) => (sentence === undefined ? [] : [[key, sentence]])));
}

const stuckJob = "select graphile_worker.add_job('send_sms', run_at => now() - interval '3 minutes')";
const backup = (start: string, failure: string) =>
  `insert into backups (file, started_at, finished_at, failure) values ('x', now() - interval '${start}', now() - interval '${start}', ${failure})`;
const sentToday = (dialCode: string, queued: number) =>
  `insert into sms_messages (recipient, body, kind, status, drop_after)
    select '+${dialCode}70000000', null, 'decision', 'sent', now() from generate_series(1, ${queued})`;
const clean = `delete from backups; delete from sms_gateways; delete from sms_messages; delete from sms_settings;
  select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`;

test.each([
  ['a message that nobody takes', 'jobs', stuckJob, 'ne partent plus'],
  [
    'a backup that failed',
    'backup',
    `${backup('1 hour', 'null')}; ${backup('1 minute', "'Disque plein.'")}`,
    'a échoué : Disque plein.',
  ],
  ['an old backup', 'backup', backup('37 hours', 'null'), 'plus de 36 heures'],
  [
    'a gateway that fails',
    'sms-gateway',
    "insert into sms_gateways (name, position, dial_codes, failure, failures_in_a_row) values ('orange', 0, '226', 'refus 401', 9)",
    'La passerelle orange échoue (refus 401).',
  ],
  [
    'a cap that is nearly used',
    'sms-cap',
    `${sentToday('226', 80)}; insert into sms_settings (per_country_and_day) values (100)`,
    "80 SMS sur 100 permis aujourd'hui vers Burkina Faso",
  ],
])('%s holds, and no other condition', async (_, key, facts, words) => {
  expect(await findHolding()).toEqual({});
  await api.pool.query(facts);
  expect(await findHolding()).toEqual({ [key]: expect.stringContaining(words) });
});

test.each([
  ['a job that is due a moment', "select graphile_worker.add_job('send_sms')"],
  ['a good backup after a failed one', `${backup('2 hours', "'x'")}; ${backup('1 hour', 'null')}`],
  [
    'two failures of a gateway',
    "insert into sms_gateways (name, position, dial_codes, failures_in_a_row) values ('a', 0, '226', 2)",
  ],
  ['a cap with room', `${sentToday('226', 79)}; insert into sms_settings (per_country_and_day) values (100)`],
])('%s is no condition', async (_, facts) => {
  await api.pool.query(facts);
  expect(await findHolding()).toEqual({});
});

test('a disk with little room by its share or its bytes, and one that is silent says nothing', async () => {
  const at = (free: number, total: number) =>
    findHolding({ readRoom: async () => ({ free: free * 1e9, total: total * 1e9 }) });
  expect(await at(10, 100)).toEqual({});
  expect(await at(9.9, 100)).toEqual({ disk: 'Il reste 9 % (9,9 Go) sur le disque de /tmp.' });
  expect(await at(0.9, 2)).toEqual({ disk: expect.stringContaining('45 %') });
  expect(await findHolding({ readRoom: async () => undefined })).toEqual({});
});

test('a backup that was never made counts from the first account; without BACKUP_DIR none is missed', async () => {
  await buildUser(api.db);
  await api.pool.query("update users set created_at = now() - interval '2 days'");
  expect(await findHolding()).toEqual({ backup: expect.stringContaining('36 heures') });
  expect(await findHolding({ backsUp: false })).toEqual({});
  await api.pool.query('update users set created_at = now()');
});

test('production sends real messages to every country; elsewhere the console does', async () => {
  const without = (settings: object) => watchedBy({ ...readEnvironment({}), ...settings }, undefined).withoutSms;
  expect(without({ SMS_PROVIDER: 'console' })).toEqual([]);
  expect(without({ SMS_PROVIDER: 'console', NODE_ENV: 'production' })).toEqual(countries.map(({ name }) => name));
  expect(await findHolding({ withoutSms: ['Mali', 'Niger'] })).toEqual({
    'sms-gateway': 'Aucun SMS ne part pour Mali, Niger.',
  });
});

test('codes of the catalogue: reported by three people, not to be dialled, and prices not to be read', async () => {
  const [service] = (await buildFinalService(api.db, { name: 'Permis', phoneNumber: '*144*10*1234567*XX#' })).slice(-1);
  const serviceId = service?.id ?? 0;
  const report = async (userId: number) => {
    const ticket = await buildTicket(api.db, userId, { serviceId });
    await api.pool.query("insert into code_reports (ticket_id, service_id, reason) values ($1, $2, 'other')", [
      ticket.id,
      serviceId,
    ]);
  };
  const people = await Promise.all([1, 2, 3].map(() => buildUser(api.db)));
  for (const { id } of [people[0], people[0], people[1]] as { id: number }[]) await report(id);
  expect(await findHolding()).toEqual({});
  await report(people[2]?.id ?? 0);
  expect(await findHolding()).toEqual({ 'dial-code': expect.stringContaining('« Permis »') });
  await api.pool.query('delete from code_reports');

  const type = await buildPaymentType(api.db, 'Moov Money');
  await buildDialTemplate(api.db, type.id, { country: '+228', state: 'reported', template: '*145*XX#' });
  expect(await findHolding()).toEqual({ 'dial-code': expect.stringContaining('« Moov Money, +228 »') });
  await api.pool.query("delete from payment_types; update services set price = '1500 ou 2000', phone_number = '*21#'");
  expect(await findHolding()).toEqual({ catalogue: expect.stringContaining('« Permis »') });
  await api.pool.query('update services set price = null, phone_number = null');
  expect(await findHolding()).toEqual({});
});

test('codes without a merchant number: of wallets where visitors are offered them, each counted by its country', async () => {
  const moov = await buildPaymentType(api.db, 'Moov Money');
  await buildPaymentType(api.db, 'Wave');
  await api.pool.query("update payment_types set countries = '{+226,+228,+229}' where id = $1", [moov.id]);
  // The last one is of a country in which it is not offered.
  for (const country of ['+226', '+228', '+229', '+223'] as const)
    await buildDialTemplate(api.db, moov.id, { country, template: '*155*{marchand}*XX#' });
  await buildMerchantNumber(api.db, moov.id);
  expect(await findHolding()).toEqual({
    merchant: 'Sans numéro marchand, 2 codes ne paient personne : « Moov Money (Bénin, Togo) ».',
  });
  await buildMerchantNumber(api.db, moov.id, { country: '+228' });
  expect(await findHolding()).toEqual({
    merchant: 'Sans numéro marchand, 1 code ne paie personne : « Moov Money (Bénin) ».',
  });
  await api.pool.query("update dial_templates set state = 'broken' where country = '+229'");
  expect(await findHolding()).toEqual({});
  await api.pool.query("update dial_templates set state = 'verified', template = '*155*1*XX#' where country = '+229'");
  expect(await findHolding()).toEqual({});

  // A service's own code, of the same wallet; hidden by what is above it, nobody reaches it.
  const path = await buildFinalService(api.db, { name: 'Permis', phoneNumber: '*155*2*{marchand}*XX#' });
  expect(await findHolding()).toEqual({
    merchant: 'Sans numéro marchand, 1 code ne paie personne : « Moov Money (Bénin) ».',
  });
  await api.pool.query("update services set phone_number = '*155*00000000*XX#' where id = $1", [path.at(-1)?.id]);
  expect(await findHolding()).toEqual({
    merchant: "Le numéro marchand de l'exemple est écrit dans le code de « Permis ».",
  });
  await api.pool.query('update services set is_visible = false where id = $1', [path[0]?.id]);
  expect(await findHolding()).toEqual({});
  await api.pool.query("update dial_templates set template = '*155*{marchand}*XX#'");
  await api.pool.query(
    "delete from merchant_numbers; update payment_types set is_active = false where name = 'Moov Money'",
  );
  expect(await findHolding()).toEqual({});
  await api.pool.query('delete from payment_types');
});

test('a database that may lose what it confirmed, or does not answer', async () => {
  const options = { ...api.pool.options, password: api.pool.options.password, Client: pg.Client };
  const pool = new pg.Pool({ ...options, options: '-c synchronous_commit=off' });
  expect(await findHolding({ pool })).toEqual({ database: expect.stringContaining('synchronous_commit') });
  await pool.end();
  const [database] = conditions;
  expect(await database?.check({ ...watched, pool: new pg.Pool({ port: 1, host: '127.0.0.1' }) })).toMatch(
    /ne répond pas/,
  );
});

test('the webhook is told once of what begins and of what has ended, signed; what it refuses it is told again', async () => {
  let status = 500;
  const { url, asked, close } = await startFakeGateway(() => ({ status }));
  onTestFinished(close);
  const secret = 'a secret of the tests';
  const webhook = { url: `${url}/alarms?key=abc`, secret };
  const warnings: string[] = [];
  const log = { warn: (details: object) => void warnings.push(JSON.stringify(details)) };
  const [monitor, twin] = [1, 2].map(() =>
    openAlarmMonitor({ watched, webhook, publicUrl: 'https://guichet.example', log }),
  ) as [AlarmMonitor, AlarmMonitor];
  const states = () => asked.map(({ body }) => JSON.parse(body)).map(({ key, state }) => `${key} ${state}`);

  await monitor.look();
  await api.pool.query(backup('1 minute', "'Disque plein.'"));
  await openAlarmMonitor({ watched, log }).look();
  expect(asked).toEqual([]);
  await monitor.look();
  expect(states()).toEqual(['backup raised']);
  status = 200;
  await Promise.all([monitor.look(), twin.look()]);
  expect(states()).toEqual(['backup raised', 'backup raised']);
  const { body, headers } = asked[1] as Asked;
  const [alarm] = await listAlarms(api.db);
  expect(JSON.parse(body)).toMatchObject({
    level: 'critical',
    message: expect.stringMatching(
      /^La dernière sauvegarde a échoué : Disque plein\. Sur le serveur, vérifiez le dossier/,
    ),
    since: alarm?.createdAt.toISOString(),
    url: 'https://guichet.example',
    sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(headers['x-guichet-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);

  // It comes and goes: the dashboard follows, and the webhook is not told each time.
  await api.pool.query(clean);
  await api.pool.query("update alarms set seen_at = now() - interval '2 minutes'");
  await monitor.look();
  expect(await listAlarms(api.db)).toEqual([]);
  await api.pool.query(backup('1 minute', "'Disque plein.'"));
  await monitor.look();
  expect(await listAlarms(api.db)).toEqual([expect.objectContaining({ key: 'backup', createdAt: alarm?.createdAt })]);
  expect(asked).toHaveLength(2);

  await api.pool.query(clean);
  await api.pool.query("update alarms set seen_at = now() - interval '6 minutes'");
  status = 500;
  await monitor.look();
  status = 200;
  await Promise.all([monitor.look(), twin.look()]);
  expect(states().slice(2)).toEqual(['backup ended', 'backup ended']);
  expect(warnings.join()).not.toContain('key=abc');
});

test('one that the webhook refuses holds no other back', async () => {
  const { url, asked, close } = await startFakeGateway(({ body }) => ({
    status: JSON.parse(body).key === 'backup' ? 400 : 200,
  }));
  onTestFinished(close);
  await api.pool.query(clean);
  await api.pool.query('delete from alarms');
  for (const key of ['sms', 'backup', 'disk']) await recordAlarm(api.db, { key, level: 'warning', message: key });
  await openAlarmMonitor({ watched, webhook: { url }, log: { warn: () => {} } }).look();
  const heard = asked.map(({ body }) => JSON.parse(body).key);
  expect(heard.filter((key) => ['sms', 'disk'].includes(key)).sort()).toEqual(['disk', 'sms']);
  expect(heard.filter((key) => key === 'backup')).toHaveLength(1);
});

test('that the database is away is told at the second look, and once that it is back', async () => {
  const { url, asked, close } = await startFakeGateway(() => ({ status: 200 }));
  onTestFinished(close);
  const news = () => asked.map(({ body }) => JSON.parse(body)).map(({ key, state }) => `${key} ${state}`);
  const nowhere = connect({ host: '127.0.0.1', port: 1 }, () => {});
  const away = { ...watched, db: nowhere.db };
  const monitor = openAlarmMonitor({ watched: away, webhook: { url }, log: { warn: () => {} } });
  await monitor.look();
  expect(news()).toEqual([]);
  await monitor.look();
  await monitor.look();
  expect(news()).toEqual(['database raised']);
  away.db = api.db;
  await monitor.look();
  await monitor.look();
  expect(news()).toEqual(['database raised', 'database ended']);
  await nowhere.close();
});

test('the dashboard shows the alarms, the worst first, with what to do', async () => {
  const { client } = await buildAdmin(api);
  const advice = conditions.find(({ key }) => key === 'disk')?.advice;
  const message = `Plein. ${advice}`;
  const insert = `insert into alarms (key, level, message) values ('merchant', 'warning', 'Exemple.'), ('disk', 'critical', $1)`;
  await api.pool.query(insert, [message]);
  const since = expect.stringMatching(/^\d{4}-/);
  expect((await client.get('/api/admin/dashboard')).body.alarms).toEqual([
    { key: 'disk', level: 'critical', message, advice, since },
    { key: 'merchant', level: 'warning', message: 'Exemple.', advice: '', since },
  ]);
  await api.pool.query('delete from alarms');
});
