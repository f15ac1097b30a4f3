import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';

export interface TestServer {
  host: string;
  port: number;
  user: string;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    server: TestServer;
    propertySeed: number;
    /** A slow file that imports a quick one has it run in full. */
    scale: 'quick' | 'full';
  }
}

/** What the values of properties are made from; another one, by `PROPERTY_SEED`, looks elsewhere. */
const propertySeed = Number(process.env.PROPERTY_SEED ?? 20261121);

export const templateDatabase = 'guichet_template';

/** One real PostgreSQL for the whole run, with a migrated database that every test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`PROPERTY_SEED=${propertySeed}\n`);
  project.provide('propertySeed', propertySeed);
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-test-')));
  // The account PostgreSQL runs under for root must get in; a folder of mkdtemp is ours alone.
  chmodSync(folder, 0o755);
  const database = await startEmbeddedDatabase(folder);
  const { host, port, user, password } = database.superuser;
  const client = new pg.Client(database.superuser);
  await client.connect();
  await client.query(`create database ${templateDatabase}`);
  await client.end();
  await migrate({ ...database.superuser, database: templateDatabase });
  project.provide('server', { host: host ?? '', port: port ?? 0, user: user ?? '', password: String(password) });
  const tearDown = async () => {
    await database.stop();
    for (const made of [findHome(folder), folder]) rmSync(made, { recursive: true, force: true });
  };
  // Vitest tears down nothing where it is told to end by these.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void tearDown().finally(() => process.exit(128 + os.constants.signals[signal])));
  return tearDown;
}
