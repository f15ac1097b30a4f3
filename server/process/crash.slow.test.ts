import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import {
  acknowledgedTo,
  expectNothingLost,
  type Filer,
  listAllTickets,
  listSentSms,
  prepareFilers,
  signUp,
  untilFiled,
} from '#server/testing/filing.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  findFreePort,
  type HttpClient,
  killPostgres,
  postgresPid,
  query,
  type ServerProcess,
  startRecoveringPostgres,
  startServer,
  untilPostgresIsNew,
} from '#server/testing/server-process.ts';

const clients = 8;
const phoneOf = (index: number) => `+226701000${String(index).padStart(2, '0')}`;

let folder: string;
let port: number;
let server: ServerProcess;
let admin: HttpClient;
let filers: Filer[];

const start = () => startServer(folder, { PORT: String(port), RATE_LIMITS: 'off' });

/** Every message sent so far, oldest first. */
const sentSms = () => listSentSms(folder);

/** The numbers that were sent a message whose text has this in it, in order, as often as they were. */
const recipientsOf = (part: string) =>
  sentSms()
    .filter(({ text }) => text.includes(part))
    .map(({ to }) => to)
    .sort();

/** Queues a message to each of these numbers, due in so many seconds, as the application does. */
function queueSms(phones: string[], text: string, seconds: number) {
  return query(
    folder,
    `with message as (
       insert into sms_messages (recipient, body, drop_after)
       select phone, '${text}', now() + interval '5 minutes' from unnest('{${phones}}'::text[]) as phone returning id
     )
     select graphile_worker.add_job('send_sms', json_build_object('id', id), max_attempts => 3,
       run_at => now() + interval '${seconds} seconds') from message`,
  );
}

/** The process of PostgreSQL that serves a connection of the application, whose last statement began so. */
const findConnection = (statement: string) =>
  eventually(async () => {
    const [found] = await query<{ pid: number }>(
      folder,
      `select pid from pg_stat_activity where application_name = 'guichet' and query like '${statement}%' limit 1`,
    );
    if (!found) throw new Error('the application is not connected yet');
    return found.pid;
  });

beforeAll(async () => {
  folder = createDataFolder();
  port = await findFreePort();
  server = await start();
  admin = await callAsAdministrator(server);
  const phones = Array.from({ length: clients }, (_, index) => phoneOf(index));
  filers = await prepareFilers(admin, { port, folder, phones });
});
afterAll(cleanUp);

test('two kill -9 under load lose no acknowledged ticket and leave no half-made one', async () => {
  for (const _ of [1, 2]) {
    const load = filers.map((filer) => filer.fileUntil({ now: false }));
    await untilFiled(filers, 40);
    expect((await server.end('SIGKILL')).code).toBeNull();
    await Promise.all(load);
    server = await start();
    await expectNothingLost(admin, folder, filers);
  }
  expect(filers.flatMap((filer) => filer.refusals)).toEqual([]);
  // Asked again under its key, a request that was cut off gives one ticket, new or found.
  await Promise.all(filers.map((filer) => filer.file()));
  expect(new Set(await listAllTickets(admin))).toEqual(new Set(acknowledgedTo(filers)));
});

test('kill -9 of PostgreSQL connections under load leaves the application alive, and loses nothing', async () => {
  const pid = postgresPid(folder);
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  await untilFiled(filers, 20);

  process.kill(await findConnection(''), 'SIGKILL');
  // PostgreSQL ends every connection and recovers; then tickets are filed again.
  await eventually(() => expect(filers.flatMap((filer) => filer.refusals)).not.toEqual([]));
  await untilFiled(filers, 3 * clients);
  stop.now = true;
  await Promise.all(load);

  expect(postgresPid(folder)).toBe(pid);
  expect((await admin.send('GET', '/api/health/ready')).status).toBe(200);
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
  await expectNothingLost(admin, folder, filers);
  // The job runner listens again too: a new person gets their code.
  await signUp(port, phoneOf(clients), [folder]);
});

test('kill -9 of PostgreSQL itself under load loses nothing, and nobody touches the server', async () => {
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  await untilFiled(filers, 20);
  const pid = postgresPid(folder) as number;
  process.kill(pid, 'SIGKILL');
  await untilPostgresIsNew(folder, pid);
  await untilFiled(filers, 3 * clients);
  stop.now = true;
  await Promise.all(load);
  await expectNothingLost(admin, folder, filers);
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
});

test('kill -9 of a PostgreSQL connection while messages are sent loses none, sends none twice, and leaves the application alive', async () => {
  const phones = Array.from({ length: 40 }, (_, index) => phoneOf(10 + index));
  const listener = await findConnection('LISTEN "jobs:insert"');
  await queueSms(phones, 'en plein envoi', 0);
  await eventually(() => expect(recipientsOf('en plein envoi')).not.toEqual([]));
  process.kill(listener, 'SIGKILL');
  await eventually(() => query(folder, 'select 1'));
  await eventually(() => expect(recipientsOf('en plein envoi')).toEqual(phones));
  const unfinished = () => query(folder, "select 1 from graphile_worker.jobs where task_identifier = 'send_sms'");
  await eventually(async () => expect(await unfinished()).toEqual([]));
  expect(recipientsOf('en plein envoi')).toEqual(phones);
  const kept = await query(folder, "select 1 from sms_messages where status <> 'sent'");
  expect(kept).toEqual([]);
});

test('messages that came due while PostgreSQL recovered for long, and new ones, leave within 5 s of its return', async () => {
  const due = [phoneOf(60), phoneOf(61)];
  // Held still until the recovering one is there: the product would start its own, or send them before.
  process.kill(server.pid, 'SIGSTOP');
  await queueSms(due, 'pendant la panne', 2);
  const killed = postgresPid(folder);
  await killPostgres(folder);
  const postgres = startRecoveringPostgres(folder);
  await untilPostgresIsNew(folder, killed);
  process.kill(server.pid, 'SIGCONT');
  // Long enough for the pauses between two tries to have grown, wherever they grow.
  await eventually(() => expect(postgres.refusals()).toBeGreaterThan(20));
  expect(recipientsOf('pendant la panne')).toEqual([]);
  postgres.finish();
  await eventually(() => query(folder, 'select 1'));
  await queueSms([phoneOf(62)], 'après la panne', 0);
  await eventually(() =>
    expect([recipientsOf('pendant la panne'), recipientsOf('après la panne')]).toEqual([due, [phoneOf(62)]]),
  );
  expect((await server.end('SIGTERM')).code).toBe(0);
});
