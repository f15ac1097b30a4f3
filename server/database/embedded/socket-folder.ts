import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CannotStart } from '#server/process/cannot-start.ts';
import { longestSocket } from './instance-lock.ts';
import type { Account } from './programs.ts';

const prefix = 'guichet-';
/** PostgreSQL's socket of that port, and the lock beside it. */
const socketOf = (port: number) => `.s.PGSQL.${port}`;
export const socketIn = (folder: string, port: number) => path.join(folder, socketOf(port));

/**
 * The folder for PostgreSQL's socket, which only its account may enter. It is that of the last start, whose name is kept in
 * the home. Where that is no longer the account's own, it is a new one under a random name. Throws `CannotStart` where
 * another account could replace it.
 */
export function settleSocketFolder(home: string, account: Account | undefined): string {
  const temporary = requireTemporaryFolder();
  const note = path.join(home, 'socket-folder');
  const last = existsSync(note) ? readFileSync(note, 'utf8').trim() : '';
  if (path.dirname(last) === temporary && path.basename(last).startsWith(prefix))
    try {
      keepSocketFolder(last, account);
      return last;
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error;
    }
  const folder = mkdtempSync(path.join(temporary, prefix));
  giveSocketFolder(folder, account);
  writeFileSync(note, `${folder}\n`);
  return folder;
}

/** The same folder again, made anew if it is gone. Throws where it is no longer the account's own. */
export function keepSocketFolder(folder: string, account: Account | undefined): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) {
    mkdirSync(folder, { mode: 0o700 });
    giveSocketFolder(folder, account);
    return;
  }
  const ours = found.isDirectory() && found.uid === (account?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0;
  if (!ours) throw new CannotStart(`Le dossier ${folder} n'est plus celui de PostgreSQL : supprimez-le.`);
}

/** Removes a folder made here that PostgreSQL has left, with what it leaves behind when it is killed. */
export function removeSocketFolder(folder: string, port: number): void {
  if (!path.basename(folder).startsWith(prefix)) return;
  for (const name of [socketOf(port), `${socketOf(port)}.lock`]) rmSync(path.join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else's things are in it, or it is gone.
  }
}

function requireTemporaryFolder(): string {
  const longest = socketIn(path.join(os.tmpdir(), `${prefix}XXXXXX`), 65535);
  const temporary = Buffer.byteLength(longest) > longestSocket ? '/tmp' : os.tmpdir();
  const { mode } = statSync(temporary);
  const everybodyWrites = (mode & 0o022) !== 0;
  const eachKeepsTheirs = (mode & 0o1000) !== 0;
  if (everybodyWrites && !eachKeepsTheirs)
    throw new CannotStart(
      `Dans le dossier temporaire ${temporary}, chaque compte peut remplacer les fichiers des autres : corrigez ses droits (chmod +t), ou indiquez-en un autre dans TMPDIR.`,
    );
  return temporary;
}

function giveSocketFolder(folder: string, account: Account | undefined): void {
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
}
