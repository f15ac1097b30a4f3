import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedDatabase } from '../server/database/embedded/embedded-database.ts';
import { backUp, type MadeBackup } from '../server/features/backup/back-up.ts';
import { restore } from '../server/features/backup/restore.ts';
import { acknowledgedTo, listAllTickets, untilFiled } from '../server/testing/filing.ts';
import { createDataFolder, findFreePort } from '../server/testing/server-process.ts';
import * as servers from './servers.ts';

const { ask, urlOf } = servers;
let postgres: servers.Postgres;
let pooler: number;

beforeAll(async () => {
  servers.requireServers();
  postgres = await servers.createPostgres(await findFreePort());
  pooler = await servers.startPooler(postgres);
});
afterAll(servers.endServers);

test.each([
  { way: 'PostgreSQL 15', database: 'direct', at: () => postgres.port },
  { way: 'pgbouncer in transaction mode', database: 'pooled', at: () => pooler },
])(
  'on $way two processes come up at once, and restart in turn behind HAProxy while tickets are filed',
  async ({ database, at }) => {
    await ask(postgres.port, 'postgres', `create database ${database}`);
    const { admin, filers, processes, restart } = await servers.openShop(urlOf(database, at()), 4);
    const stop = { now: false };
    const load = filers.map((filer) => filer.fileUntil(stop));
    const exits = [];
    for (const index of processes.keys()) {
      await untilFiled(filers, 20);
      exits.push(await restart(index, 'SIGTERM'));
      // Until HAProxy has seen it too.
      await pause(1_500);
    }
    await untilFiled(filers, 20);
    stop.now = true;
    await Promise.all(load);
    expect(filers.flatMap((filer) => filer.refusals)).toEqual([]);
    expect(new Set(await listAllTickets(admin))).toEqual(new Set(acknowledgedTo(filers)));

    exits.push(...(await Promise.all(processes.map((each) => each.end('SIGTERM')))));
    expect(exits.map(({ code, stderr }) => [code, stderr])).toEqual(Array(4).fill([0, '']));
    // Nobody keeps a lock that would have another one wait.
    expect(await ask(postgres.port, database, "select 1 from pg_locks where locktype = 'advisory'")).toEqual([]);
  },
);

test('a backup goes from PostgreSQL 15 to the embedded one and back through the pooler, and is the same each time', async () => {
  const sumsOf = ({ manifest: { tables } }: MadeBackup) => tables.filter(({ name }) => name !== 'backups');
  const configOf = (database: string) => ({ connectionString: urlOf(database, pooler) });
  const files = createDataFolder();
  const [first = '', second = '', third = ''] = ['first', 'second', 'third'].map((name) => path.join(files, name));
  const old = await backUp(configOf('direct'), { file: first });
  expect(old.manifest.postgres).toMatch(/^15[.]/);
  expect(old.manifest.tables.find(({ name }) => name === 'tickets')?.rows).toBeGreaterThan(60);
  const embedded = await startEmbeddedDatabase(createDataFolder());
  try {
    await restore({ file: first }, async () => embedded.config);
    const young = await backUp(embedded.config, { file: second });
    expect(young.manifest.postgres).toMatch(/^18[.]/);
    expect(sumsOf(young)).toEqual(sumsOf(old));
  } finally {
    await embedded.stop();
  }
  await ask(postgres.port, 'postgres', 'create database back');
  await restore({ file: second }, async () => configOf('back'));
  const again = await backUp(configOf('back'), { file: third });
  expect(sumsOf(again)).toEqual(sumsOf(old));
});
