import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits, stopLimits } from '#server/process/limits.ts';
import type { Account } from './account.ts';
import { type Programs, processOptions } from './programs.ts';
import { lastWords, lengthOfServerLog, openServerLog, shortenServerLog } from './server-log.ts';

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

/**
 * Whether that process is the PostgreSQL of this data folder. After a power cut the number in postmaster.pid may be another
 * process's, and a zombie still takes signals. So the check reads what the process runs.
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
