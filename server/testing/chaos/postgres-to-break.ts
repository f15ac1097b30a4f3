import type pg from 'pg';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { type Cluster, startPostmaster, stopPostmaster } from '#server/database/embedded/postmaster.ts';
import { chooseAccount, findPrograms } from '#server/database/embedded/programs.ts';
import { killAll } from '#server/testing/break-postgres.ts';
import { createDataFolder, postgresFolder } from '#server/testing/server-process.ts';

export interface PostgresToBreak {
  /** How its application connects. */
  config: pg.ClientConfig;
  superuser: pg.ClientConfig;
  /** Ends it with all its processes: what is not logged is lost. */
  kill(): void;
  stop(): Promise<void>;
  /** Starts it again, and resolves when it takes connections. */
  start(): Promise<void>;
}

/** A PostgreSQL of its own, of the product's version and settings, that nobody keeps up. `cleanUp` ends it. */
export async function startPostgresToBreak(): Promise<PostgresToBreak> {
  const folder = createDataFolder();
  const { config, superuser } = await startEmbeddedDatabase(folder);
  const account = chooseAccount();
  const cluster: Cluster = { account, programs: await findPrograms(account), dataFolder: postgresFolder(folder) };
  return {
    config,
    superuser,
    kill: () => killAll(folder),
    stop: () => stopPostmaster(cluster),
    async start() {
      await startPostmaster(cluster, { host: String(config.host), port: Number(config.port) });
    },
  };
}

/** Signals a process, which may have ended by itself. */
export function signal(pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
