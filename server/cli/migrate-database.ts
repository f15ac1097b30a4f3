import { migrate } from '#server/database/migrate.ts';
import { unlessAborted } from '#server/process/unless-aborted.ts';
import { readArguments } from './command.ts';
import { openDatabase } from './open-database.ts';

/** `migrate`: brings the database to this version, as a start does, and says what was done; an old version may go on serving. */
export async function migrateDatabase(given: string[], signal: AbortSignal): Promise<void> {
  readArguments(given, { options: {}, example: 'migrate' });
  const { config, stop } = await openDatabase();
  try {
    const { migrations, steps } = await unlessAborted(signal, () => migrate(config));
    const done = [
      migrations.length > 0 ? `migrations appliquées : ${migrations.join(', ')}` : 'aucune migration à appliquer',
      ...(steps.length > 0 ? [`étapes en ligne : ${steps.length}`] : []),
    ];
    console.log(`Base de données à jour (${done.join(' · ')}).`);
  } finally {
    await stop();
  }
}
