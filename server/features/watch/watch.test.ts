import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '#server/database/connect.ts';
import { text } from '#server/database/row-kinds.ts';
import { query } from '#server/database/statement.ts';
import { requireRow } from '#server/database/store.ts';
import { conditions } from '#server/features/alarms/conditions.ts';
import { listAlarms, raiseAlarm } from '#server/features/alarms/store.ts';
import { startHealthMonitor } from '#server/jobs/health-monitor.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type Machine, openDiskReader, watchCertificate, watchMachine, watchQueue, watchShared } from './checks.ts';
import { watchCertificateJob, watchJob } from './jobs.ts';

let api: TestApi;
const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-watch-'));
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => api.pool.query('delete from alarms'));

const listUp = async () => (await listAlarms(api.db)).map(({ key, level }) => `${key} ${level}`);
const gigabyte = 1e9;

test.each([
  [50, 100, undefined],
  [10, 100, undefined],
  [9.9, 100, 'warning'],
  [0.9, 5, 'warning'],
  [2.9, 100, 'critical'],
  [0.29, 5, 'critical'],
])('%s GB free of %s: %s', (free, total, level) => {
  const facts = { free: free * gigabyte, total: total * gigabyte, folder: '/data', host: 'web-1' };
  expect(conditions.disk.level(facts)).toBe(level);
});

describe('a machine', () => {
  const machine = (changes: Partial<Machine> = {}): Machine => ({
    db: api.db,
    host: 'web-1',
    dataFolder: folder,
    backupFolder: undefined,
    readDisk: async () => ({ free: 50 * gigabyte, total: 100 * gigabyte }),
    ...changes,
  });

  test('raises what it lacks under its own name, worse as it gets worse, and takes it back', async () => {
    const disks = { [folder]: 8.4, '/backups': 2 };
    const watch = () =>
      watchMachine(
        machine({
          backupFolder: '/backups',
          readDisk: async (each) => ({ free: (disks[each] ?? 0) * gigabyte, total: 100 * gigabyte }),
        }),
      );
    await watch();
    expect(await listUp()).toEqual(['disk-backup:web-1 critical', 'disk:web-1 warning']);
    const [, data] = await listAlarms(api.db);
    expect(data?.message).toBe(
      `Il reste 8 % d'espace (8,4 Go) sur le disque de ${folder}, machine web-1 : faites de la place.`,
    );
    await watchMachine(machine({ host: 'web-2' }));
    expect(await listUp()).toHaveLength(2);
    Object.assign(disks, { [folder]: 0.2, '/backups': 40 });
    await watch();
    expect(await listUp()).toEqual(['disk:web-1 critical']);
    disks[folder] = 40;
    await watch();
    expect(await listUp()).toEqual([]);
  });

  test('with a disk at the very bound is told once', async () => {
    const disk = { free: 9.9, total: 100 };
    const watch = () =>
      watchMachine(machine({ readDisk: async () => ({ free: disk.free * gigabyte, total: disk.total * gigabyte }) }));
    for (const [free, up] of [
      [9.9, ['disk:web-1 warning']],
      [10.1, ['disk:web-1 warning']],
      [2.9, ['disk:web-1 critical']],
      [3.1, ['disk:web-1 critical']],
      [3.4, ['disk:web-1 warning']],
      [10.9, ['disk:web-1 warning']],
      [11.1, []],
      [10.1, []],
    ] as const) {
      disk.free = free;
      await watch();
      expect(await listUp(), `${free} GB`).toEqual(up);
    }
  });

  test('whose backups lie on a disk that does not answer is looked at all the same, and it is asked once', async () => {
    let asked = 0;
    const readDisk = openDiskReader((each) => {
      if (each === folder) return Promise.resolve({ free: gigabyte, total: 100 * gigabyte });
      asked += 1;
      return new Promise<never>(() => {});
    });
    const watch = () => watchMachine(machine({ backupFolder: '/far/away', readDisk }));
    // One after the other: of two at once one finds this machine's own disk being asked.
    await watch();
    await watch();
    expect(await listUp()).toEqual(['disk:web-1 critical']);
    expect(asked).toBe(1);
  });

  test('reads the disk of its folder; one that is not there says nothing', async () => {
    await watchMachine(machine({ backupFolder: path.join(folder, 'nowhere'), readDisk: openDiskReader() }));
    expect((await listUp()).filter((each) => each.startsWith('disk-backup'))).toEqual([]);
  });

  test.each([
    [-60_000, ['clock:web-1 warning']],
    [60_000, ['clock:web-1 warning']],
    [2_000, []],
  ])("%s ms beside the database's clock", async (apart, up) => {
    await watchMachine(machine({ now: () => Date.now() + apart }));
    expect(await listUp()).toEqual(up);
    await watchMachine(machine());
    expect(await listUp()).toEqual([]);
  });

  test('that is gone takes its alarms along after a day', async () => {
    for (const key of ['disk:old', 'clock:old', 'disk:new', 'gateway:orange'])
      await raiseAlarm(api.db, { key, level: 'warning', message: 'x' });
    await api.pool.query("update alarms set created_at = now() - interval '25 hours' where key <> 'disk:new'");
    await watchShared({ db: api.db, backupFolder: undefined });
    expect(await listUp()).toEqual(['gateway:orange warning', 'disk:new warning']);
  });
});

describe('the queue', () => {
  /** A job that has been due for two minutes, in a transaction that is undone: the worker never sees it. */
  async function withDueJob(task: string, look: (tx: Db, end: () => Promise<unknown>) => Promise<void>) {
    const undo = new Error('undone');
    const looked = api.db.transaction(async (tx) => {
      const adding = query({ id: text })(sql`
        select id::text from graphile_worker.add_job(${task}, run_at => now() - interval '2 minutes')`);
      const { id } = await requireRow(tx, adding);
      await look(tx, () => tx.execute(sql`select graphile_worker.complete_jobs(array[${id}::bigint])`));
      throw undo;
    });
    await expect(looked).rejects.toBe(undo);
  }
  const upIn = async (tx: Db) => (await listAlarms(tx)).map(({ key, level }) => `${key} ${level}`);

  test("that no message leaves is told at the second look, stays up at another's first one, and ends", async () => {
    await withDueJob('send_sms', async (tx, end) => {
      expect(await watchQueue(tx, false)).toBe(true);
      expect(await upIn(tx)).toEqual([]);
      expect(await watchQueue(tx, true)).toBe(true);
      expect(await upIn(tx)).toEqual(['queue critical']);
      expect(await watchQueue(tx, false)).toBe(true);
      expect(await upIn(tx)).toEqual(['queue critical']);
      await end();
      expect(await watchQueue(tx, false)).toBe(false);
      expect(await upIn(tx)).toEqual([]);
    });
  });

  test("messages that wait while others leave, at their gateway's rate, are no alarm", async () => {
    await withDueJob('send_sms', async (tx) => {
      await tx.execute(sql`insert into sms_messages (recipient, status, sent_at, drop_after)
        values ('+22670000001', 'sent', now() - interval '50 s', now())`);
      expect(await watchQueue(tx, true)).toBe(false);
      expect(await upIn(tx)).toEqual([]);
      await tx.execute(sql`update sms_messages set sent_at = now() - interval '70 s'`);
      expect(await watchQueue(tx, true)).toBe(true);
      expect(await upIn(tx)).toEqual(['queue critical']);
    });
  });

  test.each(['send_push', 'back_up'])('%s may wait: for others of its kind, or for a process that does it', (task) =>
    withDueJob(task, async (tx) => {
      expect(await watchQueue(tx, true)).toBe(false);
      expect(await upIn(tx)).toEqual([]);
    }),
  );
});

describe('backups', () => {
  const watch = (backupFolder: string | undefined) => watchShared({ db: api.db, backupFolder });
  beforeEach(() => api.pool.query('delete from backups'));
  const made = (hoursAgo: number, failure: string | null = null) =>
    api.pool.query(
      `insert into backups (file, started_at, finished_at, failure)
       values ('x', now() - make_interval(hours => $1), now() - make_interval(hours => $1), $2)`,
      [hoursAgo, failure],
    );

  test('are missed when the last good one is old, whatever failed since, and only where they were asked for', async () => {
    await made(40);
    await made(1, 'disque plein');
    await watch(undefined);
    expect(await listUp()).toEqual([]);
    await watch('/backups');
    expect(await listUp()).toEqual(['backup-old critical']);
    await made(30);
    await watch('/backups');
    expect(await listUp()).toEqual([]);
  });

  test('are not missed in the first days of a database, and after those they are', async () => {
    const { user } = await buildAdmin(api);
    await watch('/backups');
    expect(await listUp()).toEqual([]);
    await api.pool.query("update users set created_at = now() - interval '3 days' where id = $1", [user.id]);
    await watch('/backups');
    expect(await listUp()).toEqual(['backup-old critical']);
    await watch(undefined);
    expect(await listUp()).toEqual([]);
  });
});

describe('the certificate', () => {
  const day = 86_400_000;
  let server: tls.Server;
  let publicUrl: string;
  let end: number;
  beforeAll(async () => {
    const file = (name: string) => path.join(folder, name);
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90'].concat([
        '-subj',
        '/CN=localhost',
        '-keyout',
        file('key.pem'),
        '-out',
        file('cert.pem'),
      ]),
      { stdio: 'ignore' },
    );
    const options = { key: readFileSync(file('key.pem')), cert: readFileSync(file('cert.pem')) };
    server = tls.createServer(options, (socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(server, 'listening');
    publicUrl = `https://localhost:${(server.address() as { port: number }).port}`;
    end = Date.now() + 90 * day;
  });
  afterAll(() => void server.close());

  const watch = (daysBefore: number, url = publicUrl) =>
    watchCertificate({ db: api.db, publicUrl: url, now: new Date(end - daysBefore * day) });

  test('is missed two weeks before its end, more so in the last days, and not when it is renewed', async () => {
    for (const [daysBefore, up] of [
      [20, []],
      [13, ['certificate warning']],
      [2, ['certificate critical']],
      [-1, ['certificate critical']],
    ] as const) {
      await watch(daysBefore);
      expect(await listUp()).toEqual(up);
    }
    expect((await listAlarms(api.db))[0]?.message).toMatch(
      /^Le certificat de localhost:\d+ a expiré le \d\d\/\d\d\/\d{4} /,
    );
    await watch(2, 'https://localhost:1');
    expect(await listUp(), 'an address that does not answer says nothing').toEqual(['certificate critical']);
    await watch(60);
    expect(await listUp()).toEqual([]);
    await watch(2, 'https://localhost:1');
    expect(await listUp()).toEqual([]);
  });

  test("is nobody's worry where the address has none", async () => {
    await raiseAlarm(api.db, { key: 'certificate', level: 'warning', message: 'x' });
    await watch(2, 'http://localhost:3000');
    expect(await listUp()).toEqual([]);
  });

  test('is judged by days', () => {
    const now = new Date();
    const inDays = (days: number) =>
      conditions.certificate.level({ end: new Date(now.getTime() + days * day), now, host: 'guichet.example' });
    expect([14.1, 13.9, 3.1, 2.9, -5].map(inDays)).toEqual([undefined, 'warning', 'warning', 'critical', 'critical']);
  });
});

test('each process looks after its machine from its start, and an outage is one line', async () => {
  const lines: string[] = [];
  const log = { warn: (_: object, message: string) => void lines.push(message) } as never;
  const disk = { free: 1, total: 100 };
  const healthMonitor = startHealthMonitor(
    { db: api.db, host: 'web-3', dataFolder: folder, backupFolder: undefined, readDisk: async () => disk },
    { channels: { phones: [] }, log },
  );
  await healthMonitor.look();
  expect(await listUp()).toEqual(['disk:web-3 critical']);
  await api.pool.query('alter table alarms rename to away');
  await healthMonitor.look();
  await healthMonitor.look();
  await api.pool.query('alter table away rename to alarms');
  expect(lines).toEqual(['nothing is watched for now']);
  disk.free = 100 * gigabyte;
  disk.total = 100 * gigabyte;
  await healthMonitor.look();
  expect(await listUp()).toEqual([]);
  await healthMonitor.stop();
});

test('administrators read what is up on the dashboard, the worst first', async () => {
  const { client } = await buildAdmin(api);
  const readUp = async () => (await client.get('/api/admin/dashboard?timeZone=Africa/Lome')).body.alarms;
  expect(await readUp()).toEqual([]);
  await raiseAlarm(api.db, { key: 'disk:a', level: 'warning', message: 'Le disque se remplit.' });
  await raiseAlarm(api.db, { key: 'queue', level: 'critical', message: 'Les tâches attendent.' });
  expect(await readUp()).toEqual([
    { key: 'queue', level: 'critical', message: 'Les tâches attendent.', since: expect.stringMatching(/Z$/) },
    { key: 'disk:a', level: 'warning', message: 'Le disque se remplit.', since: expect.stringMatching(/Z$/) },
  ]);
});

test('the worker watches what all share every minute, and certificates every hour', async () => {
  expect([watchJob, watchCertificateJob].map(({ name, cron }) => [name, cron?.match])).toEqual([
    ['watch', '* * * * *'],
    ['watch_certificate', '23 * * * *'],
  ]);
  await api.pool.query(
    "insert into alarms (key, level, message, created_at) values ('disk:x', 'warning', 'x', now() - interval '2 days')",
  );
  await api.pool.query("select graphile_worker.add_job('watch')");
  await api.runJobs();
  expect(await listUp()).toEqual([]);
});
