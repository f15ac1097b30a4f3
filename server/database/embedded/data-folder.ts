import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, readFileSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { CannotStart } from '#server/process/cannot-start.ts';
import { requireFolder } from '#server/process/folders.ts';
import { type Account, canReach } from './programs.ts';

/** What says that a data folder has a database, and where it lies if not beside this file: PostgreSQL's account cannot reach the folder. */
const identity = z.object({ version: z.literal(1), home: z.string().startsWith('/').optional() });

const identityIn = (folder: string) => path.join(folder, 'guichet.json');
export const databaseIn = (home: string) => path.join(home, 'postgres');

export const hasDatabase = (home: string) => existsSync(path.join(databaseIn(home), 'PG_VERSION'));

/** The home of a data folder: itself, or the one its identity names. Nothing is made. */
export function findHome(dataDir: string): string {
  return readIdentity(dataDir)?.home ?? dataDir;
}

/**
 * Answers where everything of a data folder lies: in itself, or, where PostgreSQL's account cannot reach that, in a folder of
 * /var/lib. An empty database never comes to stand beside one that is elsewhere: throws `CannotStart` with what was expected where.
 */
export function chooseHome(folder: string, account: Account | undefined): string {
  const known = readIdentity(folder);
  const home = known?.home ?? folder;
  takeOwnership(databaseIn(home), account);
  if (hasDatabase(home)) {
    if (canReach(account, databaseIn(home))) return home;
    throw new CannotStart(
      `Le compte ${account?.name}, sous lequel PostgreSQL tourne, ne peut pas entrer dans ${home} : ouvrez-lui les dossiers qui y mènent (chmod o+x), ou déplacez ce dossier.`,
    );
  }
  if (known)
    throw new CannotStart(
      `La base de données du dossier ${folder} devrait être dans ${databaseIn(home)} et n'y est pas : remettez-la à cet endroit, ou supprimez ${identityIn(folder)} pour commencer une boutique vide.`,
    );
  if (canReach(account, folder)) return folder;
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return requireFolder('DATA_DIR', `/var/lib/guichet-${hash}`);
}

/** Says in a data folder that it has a database, and where, once that is whole. */
export function recordHome(folder: string, home: string): void {
  if (existsSync(identityIn(folder))) return;
  const unfinished = `${identityIn(folder)}.unfinished`;
  const value: z.output<typeof identity> = { version: 1, ...(home !== folder && { home }) };
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { flush: true });
  chmodSync(unfinished, 0o644);
  renameSync(unfinished, identityIn(folder));
}

/**
 * PostgreSQL starts on folders of its own account only, which others cannot read. Folders that root copied are given to it; those of
 * other accounts are not. Rights are mended: they are lost where a copy, a share or an archive keeps none.
 */
function takeOwnership(database: string, account: Account | undefined): void {
  let found: Stats;
  try {
    found = lstatSync(database);
  } catch {
    // There is none, or nobody lets us look.
    return;
  }
  const { uid, mode } = found;
  if (account && uid === 0) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, database]);
  else if (uid !== (account?.uid ?? process.getuid?.()))
    throw new CannotStart(
      `La base de données ${database} appartient à un autre compte (numéro ${uid}) : démarrez Guichet sous ce compte, ou donnez-la à ${nameOf(account)} (${ownCommand(database, account)}).`,
    );
  // PostgreSQL lets a group read too, and nobody else. Where a link leads is another folder's owner's to say.
  if (!found.isSymbolicLink() && (mode & 0o727) !== 0o700) chmodSync(database, 0o700);
}

const nameOf = (account: Account | undefined) => account?.name ?? os.userInfo().username;

/** What an administrator of the machine runs to give a database to the account that PostgreSQL runs under. */
const ownCommand = (database: string, account: Account | undefined) => `chown -R ${nameOf(account)} ${database}`;

/** What PostgreSQL says of files that are not its own, or that others may read, as a sentence with the commands that mend it; undefined of anything else. */
export function whyNotItsOwn(said: string, database: string, account: Account | undefined): string | undefined {
  if (!/Permission denied|invalid permissions|wrong ownership/.test(said)) return undefined;
  return `PostgreSQL ne peut pas lire ses propres fichiers dans ${database} : lancez « ${ownCommand(database, account)} », puis « chmod -R u+rwX,go-rwx ${database} ».`;
}

function readIdentity(folder: string): z.output<typeof identity> | undefined {
  const file = identityIn(folder);
  if (!existsSync(file)) return undefined;
  try {
    return identity.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CannotStart(
      `Le fichier ${file} est endommagé, ou d'une version plus récente de Guichet : rétablissez-le.`,
      { cause },
    );
  }
}
