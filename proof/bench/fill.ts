import { rmSync } from 'node:fs';
import type pg from 'pg';
import { makeDataFolder } from '../../e2e/product.ts';
import { makeUpData, type Volume } from '../../server/cli/made-up-data.ts';
import { type Connection, connect } from '../../server/database/connect.ts';
import { findHome } from '../../server/database/embedded/data-folder.ts';
import { startEmbeddedDatabase } from '../../server/database/embedded/embedded-database.ts';
import { migrate } from '../../server/database/migrate.ts';
import { foldTallies } from '../../server/features/tallies/store.ts';
import { tallyLimits } from '../../server/process/limits.ts';
import { writeStarterData } from '../../server/starter/write-starter-data.ts';
import type { Stage } from './stage.ts';

/** A data folder that goes when the bench ends. */
export function makeFolder({ ends }: Stage): string {
  const folder = makeDataFolder();
  ends.add(() => {
    for (const each of [findHome(folder), folder]) rmSync(each, { recursive: true, force: true });
  });
  return folder;
}

/** What the product's job does within a minute: a bench that asks sooner would measure a moment that no operator sees. */
async function foldAll({ db, pool }: Connection): Promise<void> {
  while ((await foldTallies(db, tallyLimits.changesPerFold)) > 0);
  await pool.query('vacuum (analyze) tally_changes, tallies');
}

/** Fills the database of a data folder with made-up users and tickets, and with whatever `more` puts there. */
export async function fill(
  { ends }: Stage,
  dataDir: string,
  volume: Volume,
  more: (pool: pg.Pool, superuser: pg.ClientConfig) => Promise<unknown> = async () => {},
): Promise<void> {
  const embedded = await startEmbeddedDatabase(dataDir);
  const stop = ends.add(() => embedded.stop());
  await migrate(embedded.config);
  const connection = connect(embedded.config, (error) => console.error(error.message));
  await writeStarterData(connection.db);
  await makeUpData(connection.pool, volume);
  await foldAll(connection);
  await more(connection.pool, embedded.superuser);
  await connection.close();
  await stop();
}
