import { existsSync } from 'node:fs';
import path from 'node:path';
import { connect } from '#server/database/connect.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { isOtherSecret, otherSecret } from '#server/database/product-keys.ts';
import { backUpAndRecord, requirePlace } from '#server/features/backup/back-up.ts';
import type { Manifest } from '#server/features/backup/format.ts';
import { restore } from '#server/features/backup/restore.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { findSecret } from '#server/process/secret-file.ts';
import { readArguments } from './command.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';

/** `backup FILE`: the database in one file, sealed where BACKUP_PASSPHRASE is set. */
export async function backup(given: string[], signal: AbortSignal): Promise<void> {
  const { positionals } = readArguments(given, { options: {}, names: 1, example: 'backup guichet.backup' });
  const file = path.resolve(positionals[0] ?? '');
  // What was mistyped, or may not be written, is no backup that failed.
  await requirePlace(file);
  const { environment, config, stop } = await openDatabase();
  const connection = connect(config, (error) => console.error(error.message));
  const { BACKUP_PASSPHRASE: passphrase } = environment;
  try {
    const { bytes, manifest } = await backUpAndRecord(connection.db, config, { file, passphrase, signal });
    const megabytes = (bytes / 1_000_000).toLocaleString('fr-FR', { maximumSignificantDigits: 3 });
    console.log(`Sauvegarde faite : ${file} (${megabytes} Mo, ${countRows(manifest)} lignes).`);
    console.log(
      passphrase === undefined
        ? "Elle n'est pas scellée : qui la lit a les numéros, les demandes et les clés de tout le monde. Gardez-la en lieu sûr."
        : "Elle est scellée : sans la phrase secrète BACKUP_PASSPHRASE, personne n'en tirera rien, vous non plus.",
    );
  } finally {
    await connection.close();
    await stop();
  }
}

const countRows = ({ tables }: Manifest) => tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('fr-FR');

/**
 * `restore FILE`: into the database that `npm start` would use, which must be empty; an embedded one is made. The whole file is
 * verified before anything else happens.
 */
export async function restoreBackup(given: string[], signal: AbortSignal): Promise<void> {
  const { positionals } = readArguments(given, { options: {}, names: 1, example: 'restore guichet.backup' });
  loadEnvironmentFile();
  const environment = readEnvironment();
  const { BACKUP_PASSPHRASE: passphrase } = environment;
  const source = { file: path.resolve(positionals[0] ?? ''), passphrase, signal };
  let opened: OpenDatabase | undefined;
  try {
    const manifest = await restore(source, async () => {
      opened = await openDatabase({ make: true });
      return opened.config;
    });
    console.log(
      `Restauration faite : ${countRows(manifest)} lignes du ${manifest.takenAt}. Les SMS qui attendaient alors ne partiront pas, et chacun se connecte à nouveau. Démarrez maintenant Guichet.`,
    );
    const folder = path.resolve(environment.DATA_DIR);
    const secret = findSecret(environment, existsSync(folder) ? findHome(folder) : undefined);
    const connection = connect(opened?.config ?? {}, (error) => console.error(error.message));
    const isOther = await isOtherSecret(connection.db, secret).finally(() => connection.close());
    if (isOther) console.log(otherSecret);
  } finally {
    await opened?.stop();
  }
}
