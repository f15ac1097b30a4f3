import path from 'node:path';
import { restore } from '#server/backup/restore.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { readArguments } from './command.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';

/**
 * `restore FILE [--force] [--plain]`: into the database that `npm start` would use, which must be empty; an embedded one is made. The file is
 * verified whole before anything else happens. `--force` lets images be there that are not in it, `--plain` the file be open though
 * BACKUP_PASSPHRASE is set.
 */
export async function restoreBackup(given: string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = readArguments(given, {
    options: { force: { type: 'boolean', default: false }, plain: { type: 'boolean', default: false } },
    names: 1,
    example: 'restore guichet.backup',
  });
  const file = path.resolve(positionals[0] ?? '');
  loadEnvironmentFile();
  const { BACKUP_PASSPHRASE: passphrase } = readEnvironment();
  let opened: OpenDatabase | undefined;
  try {
    const open = async () => {
      opened = await openDatabase({ make: true });
      signal.throwIfAborted();
      return { config: opened.config, images: await opened.openImages() };
    };
    const { tables, images, takenAt } = await restore({ file, passphrase, ...values, signal }, open, console.log);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Restauration faite et vérifiée : ${rows.toLocaleString('fr-FR')} lignes et ${images.length.toLocaleString('fr-FR')} images du ${takenAt}. Les SMS qui attendaient alors ne partiront pas, et chacun se connecte à nouveau. Démarrez : npm start`,
    );
  } finally {
    await opened?.stop();
  }
}
