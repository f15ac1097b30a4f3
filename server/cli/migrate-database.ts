import type pg from 'pg';
import { migrate } from '#server/database/migrate.ts';
import { listMigrations, readLastMigration } from '#server/database/migration-list.ts';
import { SeekingClient } from '#server/database/seeking-client.ts';
import { unlessAborted } from '#server/process/unless-aborted.ts';
import { readArguments } from './command.ts';
import { openDatabase } from './open-database.ts';

/**
 * `migrate`: brings the database that `npm start` uses to this version, as its start does, and says what there was to do. So a
 * new version can be prepared while the old one goes on serving.
 */
export async function migrateDatabase(given: string[], signal: AbortSignal): Promise<void> {
  readArguments(given, { options: {}, example: 'migrate' });
  const { config, stop } = await openDatabase();
  try {
    const before = await readState(config);
    await unlessAborted(signal, () => migrate(config));
    const after = await readState(config);
    const known = listMigrations();
    const run = known.filter(({ when }) => when > (before.migration ?? 0)).map(({ number }) => number);
    const steps = after.steps - before.steps;
    const done = [
      run.length > 0 ? `migrations appliquées : ${run.join(', ')}` : 'aucune migration à appliquer',
      ...(steps > 0 ? [`étapes en ligne : ${steps}`] : []),
    ];
    console.log(`Base de données à jour (${done.join(' · ')}).`);
  } finally {
    await stop();
  }
}

/** The last migration that the database had, and how many of the steps after them. */
async function readState(config: pg.ClientConfig): Promise<{ migration: number | undefined; steps: number }> {
  const client = new SeekingClient(config);
  await client.connect();
  try {
    const migration = await readLastMigration(client);
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass('public.online_steps') is not null as there",
    );
    if (!rows[0]?.there) return { migration, steps: 0 };
    const steps = await client.query<{ count: number }>('select count(*)::int as count from online_steps');
    return { migration, steps: steps.rows[0]?.count ?? 0 };
  } finally {
    await client.end();
  }
}
