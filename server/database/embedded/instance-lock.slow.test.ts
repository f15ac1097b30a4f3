import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '#server/testing/run-command.ts';
import { cleanUp, createDataFolder, postgresPid, query, startServer } from '#server/testing/server-process.ts';

afterAll(cleanUp);

const inUse = 'Une autre instance de Guichet utilise déjà le dossier';
test("commands with another temporary folder than the product's are kept off, and its PostgreSQL goes on", async () => {
  const [folder, ofService, ofShell] = [createDataFolder(), createDataFolder(), createDataFolder()];
  const server = await startServer(folder, { TMPDIR: ofService });
  const pid = postgresPid(folder);
  const file = path.join(ofShell, 'shop.backup');
  const settings = { DATA_DIR: folder, TMPDIR: ofShell };
  expect(await runCommand(['backup', file], settings)).toMatchObject({ status: 0, stderr: '' });
  const restored = await runCommand(['restore', file], settings);
  expect(restored).toMatchObject({ status: 1, stderr: expect.stringContaining(inUse) });
  expect(postgresPid(folder)).toBe(pid);
  expect(await query(folder, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect((await server.end('SIGTERM')).code).toBe(0);
});
