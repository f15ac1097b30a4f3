import path from 'node:path';
import { backUpAndRecord, type MadeBackup } from '#server/backup/back-up.ts';
import { restore } from '#server/backup/restore.ts';
import { requireFree } from '#server/backup/write-file.ts';
import { connect } from '#server/database/connect.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { readArguments } from './command.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';

/** `backup FILE [--force]`: the database in one verified file, sealed where BACKUP_PASSPHRASE is set. */
export async function backup(given: string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = readArguments(given, {
    options: { force: { type: 'boolean', default: false } },
    names: 1,
    example: 'backup guichet.backup',
  });
  const file = path.resolve(positionals[0] ?? '');
  // What was mistyped is no backup that failed.
  await requireFree({ file, force: values.force });
  const { environment, config, stop } = await openDatabase();
  try {
    signal.throwIfAborted();
    const connection = connect(config, (error) => console.error(error.message));
    const passphrase = environment.BACKUP_PASSPHRASE;
    try {
      const target = { file, passphrase, force: values.force, signal };
      const made = await backUpAndRecord(connection.db, { config }, target);
      console.log(summaryOf(made, { file, sealed: passphrase !== undefined }));
    } finally {
      await connection.close();
    }
  } finally {
    await stop();
  }
}

const megabyte = 1_000_000;
const counted = (count: number, one: string) => `${count.toLocaleString('fr-FR')} ${one}${count < 2 ? '' : 's'}`;

function summaryOf({ bytes, manifest }: MadeBackup, { file, sealed }: { file: string; sealed: boolean }): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const size = (bytes / megabyte).toLocaleString('fr-FR', { maximumSignificantDigits: 3 });
  return [
    `Sauvegarde faite et relue : ${file} (${size} Mo, ${counted(rows, 'ligne')} de ${counted(manifest.tables.length, 'table')}).`,
    sealed
      ? "Elle est scellée : sans la phrase secrète BACKUP_PASSPHRASE, personne n'en tirera rien, vous non plus."
      : "Elle n'est pas scellée : qui la lit a les numéros et les demandes de tout le monde. Gardez-la en lieu sûr.",
    "Elle ne contient ni les réglages (.env) ni les secrets du dossier de données : une restauration les demande à part, et chacun s'y connecte à nouveau avec son mot de passe.",
  ].join('\n');
}

/**
 * `restore FILE [--plain]`: into the database that `npm start` would use, which must be empty; an embedded one is made. The file is
 * verified whole before anything else happens. `--plain` lets it be open though BACKUP_PASSPHRASE is set.
 */
export async function restoreBackup(given: string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = readArguments(given, {
    options: { plain: { type: 'boolean', default: false } },
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
      return { config: opened.config };
    };
    const { tables, takenAt } = await restore({ file, passphrase, ...values, signal }, open, console.log);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Restauration faite et vérifiée : ${rows.toLocaleString('fr-FR')} lignes du ${takenAt}. Les SMS qui attendaient alors ne partiront pas, et chacun se connecte à nouveau. Démarrez : npm start`,
    );
  } finally {
    await opened?.stop();
  }
}
