import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Filer, listAllTickets, listSentSms, prepareOrder, signUp } from '#server/testing/filing.ts';
import {
  cleanUp,
  createDataFolder,
  findFreePort,
  HttpClient,
  killPostgres,
  postgresPid,
  query,
  readAdministrator,
  type ServerProcess,
  startRecoveringPostgres,
  startServer,
} from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 60_000 });

const clients = 8;
const phoneOf = (index: number) => `+226701000${String(index).padStart(2, '0')}`;

let folder: string;
let port: number;
let server: ServerProcess;
let admin: HttpClient;
let filers: Filer[];

const acknowledged = () => filers.flatMap((filer) => filer.acknowledged);
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
  vi.waitFor(
    async () => {
      const [found] = await query<{ pid: number }>(
        folder,
        `select pid from pg_stat_activity where application_name = 'guichet' and query like '${statement}%' limit 1`,
      );
      if (!found) throw new Error('the application is not connected yet');
      return found.pid;
    },
    { timeout: 10_000, interval: 20 },
  );

/**
 * What was acknowledged is there, once; what was not is there whole or not at all. The acknowledged ids were read before
 * this looks at the table.
 */
async function expectNothingLost(promised: readonly number[]): Promise<void> {
  const stored = new Set(await listAllTickets(admin));
  expect(promised.filter((id) => !stored.has(id))).toEqual([]);
  expect(new Set(promised).size).toBe(promised.length);
  // At most one request of each client was under way when the power went.
  expect(stored.size - promised.length).toBeLessThanOrEqual(clients);
  const odd = await query(
    folder,
    `select t.id, count(e.id) as events from tickets t left join ticket_events e on e.ticket_id = t.id
     group by t.id having count(e.id) <> 1 or t.status <> 'pending' or t.total_price <> '1100'`,
  );
  expect(odd).toEqual([]);
  const orphans = await query(folder, 'select id from ticket_events where ticket_id not in (select id from tickets)');
  expect(orphans).toEqual([]);
}

beforeAll(async () => {
  folder = createDataFolder();
  port = await findFreePort();
  server = await start();
  admin = new HttpClient(port);
  expect((await admin.send('POST', '/api/auth/signin', await readAdministrator(server))).status).toBe(200);
  const order = await prepareOrder(admin);
  const signedUp = await Promise.all(
    Array.from({ length: clients }, (_, index) => signUp(port, phoneOf(index), [folder])),
  );
  filers = signedUp.map((client) => new Filer(client, order));
});
afterAll(cleanUp);

test('five kill -9 under load lose no acknowledged ticket and leave no half-made one', {
  timeout: 90_000,
}, async () => {
  for (let round = 1; round <= 5; round += 1) {
    const before = acknowledged().length;
    const load = filers.map((filer) => filer.fileUntil({ now: false }));
    await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThanOrEqual(before + 40), {
      timeout: 20_000,
      interval: 1,
    });
    expect((await server.end('SIGKILL')).code).toBeNull();
    await Promise.all(load);
    const promised = acknowledged();
    server = await start();
    await expectNothingLost(promised);
  }
  expect(filers.flatMap((filer) => filer.refusals)).toEqual([]);
  // Asked again under its key, a request that was cut off gives one ticket, new or found.
  await Promise.all(filers.map((filer) => filer.file()));
  const promised = acknowledged();
  expect(new Set(await listAllTickets(admin))).toEqual(new Set(promised));
});

test('kill -9 of PostgreSQL connections under load leaves the application alive, and loses nothing', async () => {
  const pid = postgresPid(folder);
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  const before = acknowledged().length;
  await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThanOrEqual(before + 20), { timeout: 20_000 });

  process.kill(await findConnection(''), 'SIGKILL');
  // PostgreSQL ends every connection and recovers; then tickets are filed again.
  await vi.waitFor(() => expect(filers.flatMap((filer) => filer.refusals)).not.toEqual([]), { timeout: 10_000 });
  const whenKilled = acknowledged().length;
  await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThanOrEqual(whenKilled + 3 * clients), {
    timeout: 20_000,
  });
  stop.now = true;
  await Promise.all(load);

  expect(postgresPid(folder)).toBe(pid);
  expect((await admin.send('GET', '/api/health/ready')).status).toBe(200);
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
  await expectNothingLost(acknowledged());
  // The job runner listens again too: a new person gets their code.
  await signUp(port, phoneOf(clients), [folder]);
});

test('kill -9 of PostgreSQL itself under load, twice, loses nothing, and nobody touches the server', async () => {
  for (const _ of [1, 2]) {
    const stop = { now: false };
    const load = filers.map((filer) => filer.fileUntil(stop));
    const before = acknowledged().length;
    await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThanOrEqual(before + 20), { timeout: 20_000 });
    const pid = postgresPid(folder) as number;
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect([undefined, pid]).not.toContain(postgresPid(folder)), { timeout: 10_000 });
    const whenBack = acknowledged().length;
    await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThanOrEqual(whenBack + 3 * clients), {
      timeout: 20_000,
    });
    stop.now = true;
    await Promise.all(load);
    await expectNothingLost(acknowledged());
  }
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
});

test('kill -9 of a PostgreSQL connection while messages are sent loses none, sends none twice, and leaves the application alive', async () => {
  const phones = Array.from({ length: 40 }, (_, index) => phoneOf(10 + index));
  const listener = await findConnection('LISTEN "jobs:insert"');
  await queueSms(phones, 'en plein envoi', 0);
  await vi.waitFor(() => expect(recipientsOf('en plein envoi')).not.toEqual([]), { timeout: 5_000, interval: 1 });
  process.kill(listener, 'SIGKILL');
  await vi.waitFor(() => query(folder, 'select 1'), { timeout: 20_000, interval: 10 });
  await vi.waitFor(() => expect(recipientsOf('en plein envoi')).toEqual(phones), { timeout: 5_000, interval: 10 });
  const unfinished = () => query(folder, "select 1 from graphile_worker.jobs where task_identifier = 'send_sms'");
  await vi.waitFor(async () => expect(await unfinished()).toEqual([]), { timeout: 5_000, interval: 20 });
  expect(recipientsOf('en plein envoi')).toEqual(phones);
  const kept = await query(folder, "select 1 from sms_messages where status <> 'sent' or attempts <> 1");
  expect(kept).toEqual([]);
});

test('messages that came due while PostgreSQL recovered for long, and new ones, leave within 5 s of its return', async () => {
  const due = [phoneOf(60), phoneOf(61)];
  await queueSms(due, 'pendant la panne', 2);
  // Held still until the recovering one is there: the product would start its own.
  process.kill(server.pid, 'SIGSTOP');
  const killed = postgresPid(folder);
  await killPostgres(folder);
  const postgres = startRecoveringPostgres(folder);
  await vi.waitFor(() => expect([undefined, killed]).not.toContain(postgresPid(folder)), {
    timeout: 10_000,
    interval: 10,
  });
  process.kill(server.pid, 'SIGCONT');
  // Long enough for the pauses between two tries to have grown, wherever they grow.
  await vi.waitFor(() => expect(postgres.refusals()).toBeGreaterThan(20), { timeout: 45_000, interval: 20 });
  expect(recipientsOf('pendant la panne')).toEqual([]);
  postgres.finish();
  await vi.waitFor(() => query(folder, 'select 1'), { timeout: 20_000, interval: 10 });
  await queueSms([phoneOf(62)], 'après la panne', 0);
  await vi.waitFor(
    () => expect([recipientsOf('pendant la panne'), recipientsOf('après la panne')]).toEqual([due, [phoneOf(62)]]),
    { timeout: 5_000, interval: 10 },
  );
  expect((await server.end('SIGTERM')).code).toBe(0);
});
