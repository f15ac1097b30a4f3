import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { startCommand } from '#server/testing/run-command.ts';
import { cleanUp, createDataFolder, postgresPid, query, startServer } from '#server/testing/server-process.ts';

/** Of a product that does not run: each command starts its PostgreSQL, and stops it. */
let folder: string;

beforeAll(async () => {
  folder = createDataFolder();
  const server = await startServer(folder);
  // The one that takes long enough to be told to end.
  await query(
    folder,
    `create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(3600); return new; end $$;
     create trigger sleep before insert on audit_log for each row execute function sleep()`,
  );
  expect((await server.end('SIGTERM')).code).toBe(0);
});
afterAll(cleanUp);

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a command that gets %s ends with %i, and stops the PostgreSQL that it started', async (signal, status) => {
  const { end, ended } = startCommand(['admin', 'reset'], { DATA_DIR: folder });
  await eventually(async () => {
    const asked = "select 1 as one from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'";
    expect(await query(folder, asked)).toEqual([{ one: 1 }]);
  });
  end(signal);
  expect(await ended).toEqual({ status, stdout: '', stderr: 'Interrompu.\n' });
  expect(postgresPid(folder)).toBeUndefined();
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});
