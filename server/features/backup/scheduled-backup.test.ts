import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { whileHeld } from '#server/testing/while-locked.ts';
import { backUpAndRecord } from './back-up.ts';
import { verifyBackup } from './read-backup.ts';
import { backUpBySchedule } from './scheduled-backup.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'guichet-schedule-'));
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const makeFolder = () => mkdtempSync(path.join(root, 'of-'));
const run = (folder: string, keep = 2, signal = new AbortController().signal) =>
  backUpBySchedule(api, { folder, keep, passphrase: undefined }, signal);
const shown = async () => (await admin.get('/api/admin/backups')).body;

test('a good backup is whole, is shown, and takes the place of the oldest; what is not ours stays', async () => {
  const folder = makeFolder();
  const old = ['2026-01-03', '2026-01-01', '2026-01-02'].map((day) => `guichet-${day}T03-00-00-000Z.backup`);
  const unfinished = 'guichet-2026-01-04T03-00-00-000Z.backup.part';
  const strangers = ['guichet.backup', 'guichet-2026-01-01T03-00-00-000Z.backup.txt', 'notes', 'guichet-2026.part'];
  for (const name of [...old, unfinished, ...strangers]) writeFileSync(path.join(folder, name), 'x');
  mkdirSync(path.join(folder, 'folder'));
  await run(folder);
  const made = readdirSync(folder).find((name) => /^guichet-.*Z\.backup$/.test(name) && !old.includes(name)) ?? '';
  expect(readdirSync(folder).sort()).toEqual([old[0], made, 'folder', ...strangers].sort());
  await verifyBackup({ file: path.join(folder, made) });
  const last = { finishedAt: expect.any(String), bytes: expect.any(Number) };
  expect(await shown()).toEqual({ last, failure: null, isScheduled: false });
});

test('one that fails deletes nothing, and is shown until the next good one', async () => {
  const folder = makeFolder();
  writeFileSync(path.join(folder, 'guichet-2026-01-01T03-00-00-000Z.backup'), 'x');
  await expect(run(path.join(folder, 'gone'))).rejects.toThrow("son dossier n'existe pas");
  expect(await shown()).toMatchObject({ failure: { sentence: expect.stringContaining("n'existe pas") } });
  expect(readdirSync(folder)).toHaveLength(1);

  await backUpAndRecord(api.db, api.config, { file: path.join(folder, 'by hand') });
  expect(await shown()).toMatchObject({ last: {}, failure: null });
  await run(folder, 1);
  expect(readdirSync(folder)).toHaveLength(2);
});

test('a stop meanwhile leaves no half file', async () => {
  const folder = makeFolder();
  const stopping = new AbortController();
  // Held in its middle by somebody who has a table to themselves.
  await whileHeld(api.pool, 'lock table users in access exclusive mode', async (holder) => {
    const running = expect(run(folder, 1, stopping.signal)).rejects.toThrow('the process stops');
    await untilBlocked(api.pool, holder);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.part$/)]);
    stopping.abort(new Error('the process stops'));
    await running;
  });
  expect(readdirSync(folder)).toEqual([]);
});
