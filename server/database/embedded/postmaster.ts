import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits, stopLimits } from '#server/process/limits.ts';
import { type Account, type Programs, processOptions } from './programs.ts';

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
  if (!found || !isPostmaster(found.pid, dataFolder)) return undefined;
  return found;
}

/** What PostgreSQL's own postmaster.pid says: its lines 1, 4, 5 and 8. */
function readPidFile(dataFolder: string): Postmaster | undefined {
  const file = path.join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , port, socketFolder, , , status] = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  if (!Number(pid)) return undefined;
  const host = socketFolder || '127.0.0.1';
  return { pid: Number(pid), host, port: Number(port), ready: status === 'ready' };
}

/** Whether that process runs PostgreSQL on this data folder: its number may be another's by now, or a zombie's. */
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
 * With a signal it waits until that aborts.
 */
export async function startPostmaster(cluster: Cluster, address: Address, signal?: AbortSignal): Promise<Postmaster> {
  const { dataFolder } = cluster;
  const running = findPostmaster(cluster);
  shortenServerLog(dataFolder);
  const logged = lengthOfServerLog(dataFolder);
  const started = running ? undefined : launch(cluster, address);
  const deadline = performance.now() + databaseLimits.startSeconds * 1_000;
  for (;;) {
    const file = readPidFile(dataFolder);
    if (file?.ready && isPostmaster(file.pid, dataFolder)) return file;
    const ended = started ? started.ended() : !findPostmaster(cluster);
    const late = signal ? signal.aborted : performance.now() > deadline;
    if (ended || late)
      throw new CannotStart(
        `PostgreSQL n'a pas démarré : ${lastWords(dataFolder, logged) || (late ? 'il ne répond pas à temps' : 'il ne dit pas pourquoi')}.`,
      );
    await pause(databaseLimits.startLookMs);
  }
}

const settingsFor = ({ host, port }: Address, connections = 60): string[] =>
  [
    'listen_addresses=',
    `unix_socket_directories=${host}`,
    `port=${port}`,
    `max_connections=${connections}`,
    'shared_buffers=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
    'fsync=on',
  ].flatMap((setting) => ['-c', setting]);

/** A process of its own session: it outlives ours, and the terminal's Ctrl-C is not for it. */
function launch({ programs, account, dataFolder, connections }: Cluster, address: Address) {
  const options = processOptions(account);
  const stale = readPidFile(dataFolder)?.pid;
  const log = openServerLog(dataFolder, account);
  const child = spawn(programs.postgres, ['-D', dataFolder, ...settingsFor(address, connections)], {
    ...options,
    // What postmaster.pid names is no PostgreSQL. PostgreSQL itself only sees that it lives, and refuses to start, unless it
    // is its starter's own number; it goes on to look for processes of the old server in shared memory, and replaces the file.
    env: { ...options.env, ...(stale && { PG_GRANDPARENT_PID: String(stale) }) },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  return { ended: () => failed || child.exitCode !== null || child.signalCode !== null };
}

/** Stops PostgreSQL cleanly, its connections cut; does nothing where none runs. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const running = findPostmaster(cluster);
  if (!running) return;
  // PostgreSQL's "fast shutdown".
  process.kill(running.pid, 'SIGINT');
  const deadline = performance.now() + stopLimits.databaseSeconds * 1_000;
  while (isPostmaster(running.pid, cluster.dataFolder)) {
    if (performance.now() > deadline) throw new Error(`PostgreSQL (${running.pid}) ne s'arrête pas`);
    await pause(databaseLimits.startLookMs);
  }
}

const logIn = (dataFolder: string) => path.join(dataFolder, 'server.log');
// The folder is another account's: a link laid there by it would have root write wherever it points.
const noLinks = constants.O_NOFOLLOW ?? 0;

/** Opens what PostgreSQL writes its log to, for appending. */
function openServerLog(dataFolder: string, account: Account | undefined): number {
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | noLinks;
  const log = openSync(logIn(dataFolder), flags, 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  return log;
}

/**
 * Cuts the log to its end once it is longer than `databaseLimits.logBytes`: PostgreSQL keeps the file open, so it cannot be
 * put aside, and its own collector bounds the age of a log and not its size. A line written meanwhile may be lost.
 */
export function shortenServerLog(dataFolder: string): void {
  withLog(dataFolder, constants.O_RDWR | constants.O_APPEND, (log) => {
    if (fstatSync(log).size <= databaseLimits.logBytes) return;
    const kept = readEnd(log, databaseLimits.logBytes / 4);
    ftruncateSync(log);
    writeSync(log, kept);
  });
}

/** How long the log is, in bytes. */
function lengthOfServerLog(dataFolder: string): number {
  return withLog(dataFolder, constants.O_RDONLY, (log) => fstatSync(log).size) ?? 0;
}

/** What PostgreSQL gave as its reason to end, in what it wrote after the first `from` bytes. */
function lastWords(dataFolder: string, from: number): string {
  const text = withLog(dataFolder, constants.O_RDONLY, (log) =>
    readEnd(log, Math.max(0, fstatSync(log).size - from)).toString('utf8'),
  );
  const lines = (text ?? '').trim().split('\n');
  const fatal = lines.filter((line) => /FATAL|PANIC/.test(line));
  return (fatal.length > 0 ? fatal : lines).slice(-2).join(' ');
}

function withLog<Result>(dataFolder: string, flags: number, work: (log: number) => Result): Result | undefined {
  let log: number;
  try {
    log = openSync(logIn(dataFolder), flags | noLinks);
  } catch {
    return undefined;
  }
  try {
    return work(log);
  } finally {
    closeSync(log);
  }
}

function readEnd(log: number, most: number): Buffer {
  const { size } = fstatSync(log);
  const end = Buffer.alloc(Math.min(size, most, databaseLimits.logBytes));
  const read = readSync(log, end, 0, end.length, size - end.length);
  return end.subarray(0, read);
}
