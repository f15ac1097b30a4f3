import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { type Connection, connect } from '#server/database/connect.ts';
import { findHome, makeDataFolder } from '#server/database/embedded/data-folder.ts';
import { openEmbeddedDatabase, startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { requireUsableServer } from '#server/database/usable-server.ts';
import { type ImageStore, localImageStore } from '#server/features/uploads/image-store.ts';
import { type Environment, loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';

export interface OpenDatabase {
  environment: Environment;
  config: pg.ClientConfig;
  images: ImageStore;
  /** Stops what was started for this alone. */
  stop(): Promise<void>;
}

/**
 * The database that `npm start` uses, and its images, also while it does. Throws `CannotStart` where there is none; `make` has
 * an embedded one made then, and refuses a data folder in use.
 */
export async function openDatabase({ make = false } = {}): Promise<OpenDatabase> {
  loadEnvironmentFile();
  const environment = readEnvironment();
  const { DATABASE_URL, DATA_DIR } = environment;
  if (DATABASE_URL) await requireUsableServer(DATABASE_URL);
  const open = make ? startEmbeddedDatabase : openEmbeddedDatabase;
  const embedded = DATABASE_URL ? undefined : await open(DATA_DIR);
  const home = embedded?.home ?? findHome(makeDataFolder(DATA_DIR));
  const imagesFolder = path.join(home, 'uploads');
  await mkdir(imagesFolder, { recursive: true });
  return {
    environment,
    config: { ...(embedded?.config ?? { connectionString: DATABASE_URL }) },
    images: localImageStore(imagesFolder),
    stop: async () => embedded?.stop(),
  };
}

/** Does work in the database that `npm start` uses, brought to this version first. Throws as `openDatabase`. */
export async function withDatabase<Result>(
  work: (connection: Connection, config: pg.ClientConfig) => Promise<Result>,
): Promise<Result> {
  const { config, stop } = await openDatabase();
  try {
    await migrate(config);
    const connection = connect(config, (error) => console.error(error.message));
    try {
      return await work(connection, config);
    } finally {
      await connection.close();
    }
  } finally {
    await stop();
  }
}
