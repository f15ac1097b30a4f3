import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { consoleGateway } from '#server/features/sms/gateways/local.ts';
import { routeThrough } from '#server/features/sms/sms-route.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { backUpAndRecord } from './back-up.ts';
import { verifyBackup } from './read-file.ts';
import { backUpBySchedule, type Schedule } from './scheduled-backup.ts';

let api: TestApi;
let admin: TestClient;
let root: string;
let schedule: Schedule;

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'guichet-schedule-'));
  api = await startTestApi();
  ({ client: admin } = await buildAdmin(api));
});
afterAll(async () => {
  await api?.close();
  rmSync(root, { recursive: true, force: true });
});

let count = 0;
beforeEach(() => {
  count += 1;
  schedule = { folder: path.join(root, String(count)), hour: 3, keep: 2, passphrase: undefined };
  mkdirSync(schedule.folder);
});

const inFolder = () => readdirSync(schedule.folder).sort();
const put = (...names: string[]) => {
  for (const name of names) writeFileSync(path.join(schedule.folder, name), 'x');
};
const run = (signal = new AbortController().signal) => backUpBySchedule(api, schedule, signal);
const shown = async () => (await admin.get('/api/admin/backups')).body;

test('a good backup is there whole, is shown, and takes the place of the oldest; what is not ours stays', async () => {
  expect(await shown()).toEqual({ last: null, failure: null, schedule: null });
  const old = ['2026-01-03', '2026-01-01', '2026-01-02'].map((day) => `guichet-${day}T03-00-00-000Z.backup`);
  const strangers = ['guichet.backup', 'guichet-2026-01-01T03-00-00-000Z.backup.txt', 'notes', 'guichet-2026.part'];
  const abandoned = 'guichet-2026-01-04T03-00-00-000Z.backup.0123abcd.part';
  const underWay = 'guichet-2026-01-05T03-00-00-000Z.backup.0123abcd.part';
  put(...old, ...strangers, abandoned, underWay);
  utimesSync(path.join(schedule.folder, abandoned), 0, 0);
  await run();
  const [made = '', ...others] = inFolder().filter((name) => ![...old, ...strangers, underWay].includes(name));
  expect(others).toEqual([]);
  expect(made).toMatch(/^guichet-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.backup$/);
  expect(inFolder()).toEqual([old[0], made, underWay, ...strangers].sort());
  await verifyBackup({ file: path.join(schedule.folder, made) });
  const { rows } = await api.pool.query(
    'select file, failure, bytes::int, finished_at >= started_at as ended from backups',
  );
  expect(rows).toEqual([{ file: made, failure: null, bytes: expect.any(Number), ended: true }]);
  expect(await shown()).toMatchObject({ last: { bytes: rows[0].bytes }, failure: null });
});

test('one that fails deletes nothing, and is shown until the next good one', async () => {
  const { last } = await shown();
  const { folder } = schedule;
  schedule = { ...schedule, folder: path.join(folder, 'gone') };
  await expect(run()).rejects.toThrow("son dossier n'existe pas");
  expect(await shown()).toMatchObject({ last, failure: { sentence: expect.stringContaining("n'existe pas") } });

  const byHand = path.join(folder, 'by hand');
  await backUpAndRecord(api.db, api, { file: byHand });
  expect(await shown()).toMatchObject({ failure: null });
  rmSync(byHand);

  schedule = { ...schedule, folder, keep: 1 };
  await run();
  expect(await shown()).toMatchObject({ failure: null });
  expect(inFolder()).toHaveLength(1);
});

test('the worker makes it when it is due, and a stop meanwhile leaves no half file', async () => {
  const backup = { hour: 3, run: (signal: AbortSignal) => run(signal) };
  const start = () =>
    startWorker({
      ...api,
      sms: routeThrough(consoleGateway(() => {})),
      log: pino({ level: 'silent' }),
      backup,
      secret: 'x'.repeat(32),
    });
  const due = () => api.pool.query("select graphile_worker.add_job('back_up')");
  let worker = await start();
  await due();
  await eventually(() => expect(inFolder()).toEqual([expect.stringMatching(/\.backup$/)]));
  const made = inFolder();

  // Held in its middle by somebody who has a table to themselves.
  const holder = await api.pool.connect();
  try {
    await holder.query(
      'begin; lock table users in access exclusive mode; set local idle_in_transaction_session_timeout = 0',
    );
    await due();
    await untilBlocked(api.pool, holder);
    expect(inFolder().some((name) => name.endsWith('.part'))).toBe(true);
    await worker.stop();
    expect(inFolder()).toEqual(made);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  // The next process makes up for it.
  worker = await start();
  await eventually(() => expect(inFolder().filter((name) => name.endsWith('.backup'))).toHaveLength(2));
  await worker.stop();
  expect(existsSync(path.join(schedule.folder, made[0] ?? ''))).toBe(true);
});
