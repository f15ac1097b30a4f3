import path from 'node:path';
import type pg from 'pg';
import { type Connection, connect } from '#server/database/connect.ts';
import { findHome, makeDataFolder } from '#server/database/embedded/data-folder.ts';
import { openEmbeddedDatabase, startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { requireUsableServer } from '#server/database/usable-server.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { openImageStore } from '#server/features/uploads/open-image-store.ts';
import { type Environment, loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { unlessAborted } from '#server/process/unless-aborted.ts';

export interface OpenDatabase {
  environment: Environment;
  config: pg.ClientConfig;
  /** The images of `npm start`, opened on demand: commands without images do not fail on a bucket that refuses. Throws `CannotStart`. */
  openImages(): Promise<ImageStore>;
  /** Stops what was started for this alone. */
  stop(): Promise<void>;
}

/**
 * The database that `npm start` uses, also while it does. Throws `CannotStart` where there is none; `make` has an embedded one
 * made then, and refuses a data folder in use.
 */
export async function openDatabase({ make = false } = {}): Promise<OpenDatabase> {
  loadEnvironmentFile();
  const environment = readEnvironment();
  const { DATABASE_URL, DATA_DIR } = environment;
  if (DATABASE_URL) await requireUsableServer(DATABASE_URL);
  const open = make ? startEmbeddedDatabase : openEmbeddedDatabase;
  const embedded = DATABASE_URL ? undefined : await open(DATA_DIR);
  const log = { error: (_: object, message: string) => console.error(message) };
  return {
    environment,
    config: { ...(embedded?.config ?? { connectionString: DATABASE_URL }) },
    openImages() {
      const home = embedded?.home ?? findHome(makeDataFolder(DATA_DIR));
      return openImageStore(environment, path.join(home, 'uploads'), log);
    },
    stop: async () => embedded?.stop(),
  };
}

/**
 * Does work in the database that `npm start` uses, brought to this version first. When the signal aborts, uncommitted work
 * is undone. Throws as `openDatabase`, and the signal's reason.
 */
export async function withDatabase<Result>(
  signal: AbortSignal,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { config, stop } = await openDatabase();
  try {
    return await unlessAborted(signal, async () => {
      await migrate(config);
      const connection = connect(config, (error) => signal.aborted || console.error(error.message));
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
