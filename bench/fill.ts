import { makeUpData, type Volume } from '#server/cli/made-up-data.ts';
import { connect } from '#server/database/connect.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';

/** Fills the database of a data folder with made-up users and tickets. */
export async function fill(dataDir: string, volume: Volume): Promise<void> {
  const embedded = await startEmbeddedDatabase(dataDir);
  try {
    await migrate(embedded.config);
    const connection = connect(embedded.config, (error) => console.error(error.message));
    await writeStarterData(connection.db);
    await makeUpData(connection.pool, volume);
    await connection.close();
  } finally {
    await embedded.stop();
  }
}
