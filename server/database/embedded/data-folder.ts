import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { CannotStart } from '#server/process/cannot-start.ts';
import { fileTroubles, lockName } from './instance-lock.ts';
import { type Account, nameOfAccount } from './programs.ts';

/** What tells a data folder from every other, wherever it lies: written once its database is there. */
const identity = z.object({
  id: z.uuid(),
  version: z.literal(1),
  /** Where everything lies, if not beside this file: PostgreSQL's account cannot reach the folder. */
  home: z.string().startsWith('/').optional(),
});
type Identity = z.output<typeof identity>;

const identityIn = (folder: string) => path.join(folder, 'guichet.json');
export const databaseIn = (home: string) => path.join(home, 'postgres');

/** Whether there is a database, also one that we may not read. */
export function hasDatabase(home: string): boolean {
  try {
    return readdirSync(databaseIn(home)).includes('PG_VERSION');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * Makes a folder with those above it, one that everybody may enter where we are root, whatever our umask is: PostgreSQL's
 * account has to. Throws `CannotStart` where it cannot be. (Node's own recursive mkdir never ends below /proc.)
 */
export function makeDataFolder(folder: string): string {
  try {
    makeStepByStep(folder);
    return realpathSync(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = fileTroubles[code ?? ''] ?? code;
    throw new CannotStart(`Le dossier DATA_DIR ${folder} ne peut pas être créé ni lu : ${reason}.`, { cause });
  }
}

function makeStepByStep(folder: string): void {
  if (existsSync(folder)) {
    // ENOTDIR for a file.
    readdirSync(folder);
    return;
  }
  makeStepByStep(path.dirname(folder));
  mkdirSync(folder);
  if (process.getuid?.() === 0) chmodSync(folder, enterOnly);
}

/** The home of a data folder: itself, or the one its identity names. Nothing is made. */
export function findHome(dataDir: string): string {
  return readIdentity(dataDir)?.home ?? dataDir;
}

/** What settling a home asks of the rest. */
interface Surroundings {
  account: Account | undefined;
  /** Whether PostgreSQL's account reaches this. */
  reaches(file: string): boolean;
  /** Stops the PostgreSQL that may run in this home. */
  stopDatabase(home: string): Promise<void>;
}

/**
 * Answers where everything of a data folder lies, after bringing it there from where another machine left it. An empty
 * database never comes to stand beside one that is elsewhere: throws `CannotStart` with what was expected where.
 */
export async function chooseDataDirectory(folder: string, surroundings: Surroundings): Promise<string> {
  const { account, reaches } = surroundings;
  const known = readIdentity(folder);
  if (known?.home || hasDatabase(folder)) {
    const home = known?.home ?? folder;
    if (!hasDatabase(home) || (known?.home && readIdentity(home)?.id !== known.id)) throw missing(home, folder);
    takeOwnership(databaseIn(home), account);
    if (home === folder && !reaches(folder)) return moveTo(makeRefuge(), folder, surroundings);
    // A first start was killed before it wrote it.
    if (!known) writeIdentity(folder, { id: randomUUID(), version: 1 });
    return home;
  }
  if (known) throw missing(folder, folder);
  return reaches(folder) ? folder : makeRefuge();
}

/** Gives a data folder its identity, and says in it where its home is. */
export function recordHome(folder: string, home: string): void {
  const id = readIdentity(home)?.id ?? randomUUID();
  writeIdentity(home, { id, version: 1 });
  if (home !== folder) writeIdentity(folder, { id, version: 1, home });
}

function missing(home: string, folder: string): CannotStart {
  return new CannotStart(
    `La base de données du dossier ${folder} devrait être dans ${databaseIn(home)} et n'y est pas : remettez-la à cet endroit, ou supprimez ${identityIn(folder)} pour commencer une boutique vide.`,
  );
}

/** PostgreSQL starts on folders of its own account only. Folders that root copied are given to it; those of other accounts are not. */
function takeOwnership(database: string, account: Account | undefined): void {
  const owner = lstatSync(database).uid;
  const ours = account?.uid ?? process.getuid?.() ?? owner;
  if (owner === ours) return;
  if (account && owner === 0) {
    giveTo(account, database);
    return;
  }
  const who = account ? `sous ce compte, ou donnez ${database} à ${account.name} (chown -R)` : 'sous root';
  throw new CannotStart(
    `La base de données ${database} appartient au compte ${nameOfAccount(owner)} : démarrez Guichet ${who}.`,
  );
}

function giveTo(account: Account, file: string): void {
  lchownSync(file, account.uid, account.gid);
  const stat = lstatSync(file);
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(file)) giveTo(account, path.join(file, name));
}

/** Moves all there is in a data folder to a home elsewhere: nothing is deleted before the copy is whole and known of. */
async function moveTo(home: string, folder: string, { account, stopDatabase }: Surroundings): Promise<string> {
  await stopDatabase(folder);
  const staying = [identityIn(folder), path.join(folder, lockName)];
  const names = readdirSync(folder).filter((name) => !staying.includes(path.join(folder, name)));
  for (const name of names)
    cpSync(path.join(folder, name), path.join(home, name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
  chmodSync(home, enterOnly);
  chmodSync(databaseIn(home), 0o700);
  if (account) giveTo(account, databaseIn(home));
  spawnSync('sync');
  // A copy is another shop than the one it was copied from.
  rmSync(identityIn(home), { force: true });
  recordHome(folder, home);
  for (const name of names) rmSync(path.join(folder, name), { recursive: true, force: true });
  return home;
}

/** Others pass through to what is theirs, and see nothing else. */
const enterOnly = 0o711;

/** A new home where PostgreSQL's account reaches it. */
function makeRefuge(): string {
  const home = `/var/lib/guichet-${randomUUID()}`;
  makeStepByStep(path.dirname(home));
  mkdirSync(home);
  chmodSync(home, enterOnly);
  return home;
}

function readIdentity(folder: string): Identity | undefined {
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

function writeIdentity(folder: string, value: Identity): void {
  const unfinished = `${identityIn(folder)}.${randomBytes(6).toString('hex')}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { flush: true });
  chmodSync(unfinished, 0o644);
  renameSync(unfinished, identityIn(folder));
}
