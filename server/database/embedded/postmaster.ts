import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseLimits } from '#server/database/limits.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { stopLimits } from '#server/process/limits.ts';
import { whyNotItsOwn } from './data-folder.ts';
import { type Account, type Programs, runProgram } from './programs.ts';

/** PostgreSQL's programs and data folder (absolute), the account they run under, and how many connections it takes. */
export interface Cluster {
  account: Account | undefined;
  programs: Programs;
  dataFolder: string;
  /** 60 by default: three processes of the product. */
  connections?: number | undefined;
}

/** Where PostgreSQL listens: in a folder of Unix sockets. */
export interface Address {
  host: string;
  port: number;
}

/** PostgreSQL's first process, which starts all others. */
export interface Postmaster extends Address {
  pid: number;
  /** Whether it takes connections; it may still recover. */
  ready: boolean;
}

/** The PostgreSQL that runs on this data folder, also while it still recovers. */
export function findPostmaster({ dataFolder }: Pick<Cluster, 'dataFolder'>): Postmaster | undefined {
  const found = readPidFile(dataFolder);
  return found && isPostmaster(found.pid, dataFolder) ? found : undefined;
}

/** What PostgreSQL's own postmaster.pid says: its lines 1, 4, 5 and 8. */
function readPidFile(dataFolder: string): Postmaster | undefined {
  const file = path.join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , port, host = '', , , status] = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return Number(pid) ? { pid: Number(pid), host, port: Number(port), ready: status === 'ready' } : undefined;
}

/**
 * Whether that process runs PostgreSQL on this data folder. After a cut of the power its number may be another's, or a
 * zombie's, which `pg_ctl status` takes for PostgreSQL.
 */
export function isPostmaster(pid: number, dataFolder: string): boolean {
  return readCommand(pid).includes(`postgres -D ${dataFolder} `);
}

/** The program of a process and its arguments, separated by spaces. */
function readCommand(pid: number): string {
  if (existsSync('/proc/self/cmdline'))
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return `${stdout.trim()} `;
}

/**
 * Starts PostgreSQL, listening there only, and waits until it takes connections. A running one is waited for. Throws
 * `CannotStart` with its reason, or after too long; the server goes on then, since an interrupted recovery begins anew.
 */
export async function startPostmaster(cluster: Cluster, address: Address, signal?: AbortSignal): Promise<Postmaster> {
  const { dataFolder, account } = cluster;
  const refuse = (cause: unknown) => {
    const isThere = lstatSync(logIn(dataFolder), { throwIfNoEntry: false })?.isFile();
    const lines = isThere ? readFileSync(logIn(dataFolder), 'utf8').split('\n') : [];
    const said =
      lines
        .filter((line) => /FATAL|PANIC/.test(line))
        .slice(-2)
        .join(' ') || (cause as Error).message;
    const sentence = whyNotItsOwn(said, dataFolder, account) ?? `PostgreSQL n'a pas démarré : ${said}.`;
    return new CannotStart(sentence, { cause });
  };
  if (!findPostmaster(cluster))
    await launch(cluster, address, signal).catch((cause: unknown) => {
      throw refuse(cause);
    });
  const deadline = performance.now() + databaseLimits.startSeconds * 1_000;
  for (;;) {
    const found = findPostmaster(cluster);
    if (found?.ready) return found;
    if (!found || performance.now() > deadline) throw refuse(new Error('il ne répond pas à temps'));
    await pause(databaseLimits.startLookMs, undefined, { signal });
  }
}

/** By `pg_ctl`, which starts it in a session of its own: it outlives us, and the terminal's Ctrl-C is not for it. */
async function launch(
  { account, programs, dataFolder, connections = 60 }: Cluster,
  address: Address,
  signal?: AbortSignal,
) {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${address.host}`,
    `port=${address.port}`,
    `max_connections=${connections}`,
    'shared_buffers=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
    // A few lines for each start and crash: refused statements are the application's to log.
    'log_min_messages=log',
    'log_checkpoints=off',
    'fsync=on',
  ].flatMap((setting) => ['-c', setting]);
  // PostgreSQL believes a process of its account whose number its own postmaster.pid has, and refuses to start, unless it is
  // its starter's number; it goes on to look for processes of the old server in shared memory, and replaces the file.
  const stale = readPidFile(dataFolder)?.pid ?? process.pid;
  const command = [`PG_GRANDPARENT_PID=${stale}`, programs.postgres, '-D', dataFolder, ...settings]
    .map(quoted)
    .join(' ');
  const log = `> ${quoted(logIn(dataFolder))}`;
  // What pg_ctl runs is a line of the shell: `env`, with these as its arguments.
  const program = ['-p', '/usr/bin/env', '-o', `${command} ${log}`];
  const waiting = ['-w', '-t', String(databaseLimits.startSeconds)];
  await runProgram(programs.pg_ctl, ['start', '-s', ...waiting, ...program], account, {
    env: { PGDATA: dataFolder },
    signal,
  });
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Stops PostgreSQL cleanly, its connections cut; does nothing where none runs. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const { account, programs, dataFolder } = cluster;
  if (!findPostmaster(cluster)) return;
  const waiting = ['-w', '-t', String(stopLimits.databaseSeconds)];
  await runProgram(programs.pg_ctl, ['stop', '-s', '-m', 'fast', ...waiting, '-D', dataFolder], account);
}

/** A socket's path is limited to 104 bytes on macOS, 108 on Linux, a zero byte included. */
const longestSocket = 103;
export const socketIn = ({ host, port }: Address) => path.join(host, `.s.PGSQL.${port}`);
const fits = (host: string) => Buffer.byteLength(socketIn({ host, port: 5432 })) <= longestSocket;

/** Where PostgreSQL is to listen: its data folder, which only its account may enter; or, where that path is too long for a socket, a new temporary one. */
export function chooseAddress({ dataFolder, account }: Cluster): Address {
  if (fits(dataFolder)) return { host: dataFolder, port: 5432 };
  const under = [os.tmpdir(), '/tmp'].find((folder) => fits(path.join(folder, 'guichet-XXXXXX'))) ?? '/tmp';
  const host = mkdtempSync(path.join(under, 'guichet-'));
  if (account) chownSync(host, account.uid, account.gid);
  return { host, port: 5432 };
}

/** Removes a temporary folder that PostgreSQL has left. */
export function removeSocketFolder(host: string): void {
  if (path.basename(host).startsWith('guichet-')) rmSync(host, { recursive: true, force: true });
}

/** The log of the last start. The folder is another account's, which may have laid a link there: we read a file alone. */
const logIn = (dataFolder: string) => path.join(dataFolder, 'server.log');
