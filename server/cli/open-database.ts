import type pg from 'pg';
import { type Connection, connect } from '#server/database/connect.ts';
import { openEmbeddedDatabase, startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { requireUsableServer } from '#server/database/usable-server.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { unlessAborted } from '#server/process/unless-aborted.ts';

export type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** The database of `npm start`. Throws `CannotStart` where there is none; `make` makes it, and refuses a folder in use. */
export async function openDatabase({ make = false } = {}) {
  loadEnvironmentFile();
  const environment = readEnvironment();
  const { DATABASE_URL, DATA_DIR } = environment;
  if (DATABASE_URL) await requireUsableServer(DATABASE_URL);
  const open = make ? startEmbeddedDatabase : openEmbeddedDatabase;
  const embedded = DATABASE_URL ? undefined : await open(DATA_DIR);
  return {
    environment,
    config: { ...(embedded?.config ?? { connectionString: DATABASE_URL }) } satisfies pg.ClientConfig,
    /** Stops what was started for this alone. */
    stop: async () => embedded?.stop(),
  };
}

/** Works in that database, once migrated. A signal undoes uncommitted work and throws its reason. */
export async function withDatabase<Result>(
  signal: AbortSignal | undefined,
  work: (connection: Connection) => Promise<Result>,
  how?: Parameters<typeof openDatabase>[0],
): Promise<Result> {
  const { config, stop } = await openDatabase(how);
  try {
    return await unlessAborted(signal, async () => {
      await migrate(config);
      const connection = connect(config, (error) => signal?.aborted || console.error(error.message));
      try {
        return await work(connection);
      } finally {
        await connection.close();
      }
    });
  } finally {
    await stop();
  }
}
