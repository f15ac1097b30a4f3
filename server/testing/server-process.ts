import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { expect } from 'vitest';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { isPostmaster } from '#server/database/embedded/postmaster.ts';
import { askOn } from './empty-place.ts';
import { eventually } from './eventually.ts';
import { listenTo } from './run-command.ts';

const main = path.resolve(import.meta.dirname, '../main.mjs');

export interface Exit {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ServerProcess {
  pid: number;
  port: number;
  /** What it has printed so far. */
  stdout(): string;
  exited: Promise<Exit>;
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Exit>;
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** A port that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A new data folder, which by default any account may enter; `cleanUp` removes it with all that was made for it. */
export function createDataFolder(mode = 0o755): string {
  const folder = keepTrackOf(realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-process-'))));
  chmodSync(folder, mode);
  return folder;
}

/** Has `cleanUp` remove this data folder too. */
export function keepTrackOf(folder: string): string {
  folders.add(folder);
  return folder;
}

/** `shell` is run before, such as `umask 077` or `ulimit -n 64`. */
function launch(settings: Record<string, string>, shell = ':') {
  const child = spawn('/bin/sh', ['-c', `umask 022; ${shell}; exec "$0" "$1"`, process.execPath, main], {
    // Where no .env of a developer's is.
    cwd: os.tmpdir(),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: os.tmpdir(),
      SMS_PROVIDER: 'file',
      LOG_LEVEL: 'error',
      // Most of a start is reading TypeScript, and dozens of starts follow one another.
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = listenTo(child);
  const exited = once(child, 'close').then(([code]: (number | null)[]): Exit => {
    running.delete(child);
    return { code: code ?? null, ...said };
  });
  return { child, said, exited };
}

/** Runs `server/main.mjs` under these settings until it ends by itself. */
export function runServer(settings: Record<string, string>, shell?: string): Promise<Exit> {
  return launch(settings, shell).exited;
}

/** Starts `server/main.mjs` on the data folder, and answers when it says it is ready; throws what it said if it ends before. */
export async function startServer(
  dataFolder: string,
  settings: Record<string, string> = {},
  shell?: string,
): Promise<ServerProcess> {
  const port = Number(settings.PORT ?? (await findFreePort()));
  const { child, said, exited } = launch({ DATA_DIR: dataFolder, ...slowStop, ...settings, PORT: String(port) }, shell);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => said.stdout.includes('Guichet est prêt') && resolve());
    void exited.then(({ code, stdout, stderr }) => reject(new Error(`ended with ${code}\n${stdout}\n${stderr}`)));
  });
  return {
    pid: child.pid as number,
    port,
    exited,
    stdout: () => said.stdout,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

/**
 * Settings that have a process begin with other limits than its own, by their files in `server/` and their names: for what
 * would take minutes.
 */
export function otherLimits(changes: Record<string, Record<string, Record<string, number>>>): { NODE_OPTIONS: string } {
  const folder = pathToFileURL(path.resolve(import.meta.dirname, '..'));
  const program = `for (const [file, named] of Object.entries(${JSON.stringify(changes)})) {
    const own = await import('${folder}/' + file);
    for (const [name, limits] of Object.entries(named)) Object.assign(own[name], limits);
  }`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

/** What stops in order may take its time there: only who hangs is to be cut off by the product's own limits. */
export const slowStop = otherLimits({
  'process/limits.ts': { stopLimits: { othersMs: 60_000, wholeMs: 80_000, databaseSeconds: 60 } },
});

/** Where the embedded PostgreSQL of a data folder keeps its files. */
export function postgresFolder(dataFolder: string): string {
  return path.join(findHome(dataFolder), 'postgres');
}

/** The lines of PostgreSQL's own postmaster.pid; `undefined` when it is not running. */
function postmaster(dataFolder: string): string[] | undefined {
  const file = path.join(postgresFolder(dataFolder), 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : undefined;
}

/** The process id of the data folder's PostgreSQL; `undefined` when its postmaster.pid is gone. */
export function postgresPid(dataFolder: string): number | undefined {
  const [pid] = postmaster(dataFolder) ?? [];
  return pid ? Number(pid) : undefined;
}

/** Until the data folder has another PostgreSQL than this one. */
export async function untilPostgresIsNew(dataFolder: string, old: number | undefined): Promise<void> {
  await eventually(() => expect([undefined, old]).not.toContain(postgresPid(dataFolder)));
}

/** Asks the embedded database as the application's own role. */
export async function query<Row extends pg.QueryResultRow>(dataFolder: string, sql: string): Promise<Row[]> {
  const [, , , port, host] = postmaster(dataFolder) ?? [];
  const password = readFileSync(path.join(findHome(dataFolder), 'database-password'), 'utf8');
  return askOn<Row>({ host, port: Number(port), user: 'guichet', database: 'guichet', password }, sql);
}

/** Ends every process started here, and the PostgreSQL of every data folder made here, and removes the folders. */
export async function cleanUp(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
  // Those made last may lie in those made first.
  for (const folder of [...folders].reverse()) {
    const [, , , , socketFolder = ''] = postmaster(folder) ?? [];
    const pid = postgresPid(folder);
    if (pid && isPostmaster(pid, postgresFolder(folder))) {
      process.kill(pid, 'SIGQUIT');
      // One that its starter has not collected yet is gone too.
      await eventually(() => expect(isPostmaster(pid, postgresFolder(folder))).toBe(false));
    }
    const home = findHome(folder);
    for (const made of [home, folder, socketFolder]) if (made) rmSync(made, { recursive: true, force: true });
  }
  folders.clear();
}

/** Calls a started process over the network, keeping the cookies it is given. Rejects when the connection breaks. */
export class HttpClient {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(port: number) {
    this.#origin = `http://127.0.0.1:${port}`;
  }

  async send<Body>(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Body }> {
    const json = body !== undefined && !(body instanceof FormData);
    const response = await fetch(this.#origin + url, {
      method,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: json ? JSON.stringify(body) : (body as FormData) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return { status: response.status, body: (await response.json()) as Body };
  }
}

/** The administrator's number and password, as a first start prints them. */
export function printedAdministrator(stdout: string): { phoneOrEmail: string; password: string } | undefined {
  const [, phoneOrEmail, password] = /Administrateur : (\+[\d ]+) · mot de passe : (\S+) /.exec(stdout) ?? [];
  return phoneOrEmail && password ? { phoneOrEmail, password } : undefined;
}

/** The administrator that one of these first starts prints, as soon as it does: the line follows the ready one. */
export function readAdministrator(...servers: Pick<ServerProcess, 'stdout'>[]) {
  return eventually(() => {
    const [printed] = servers.flatMap((server) => printedAdministrator(server.stdout()) ?? []);
    if (!printed) throw new Error('no administrator printed yet');
    return printed;
  });
}

/** Calls a process as the administrator that its first start printed. */
export async function callAsAdministrator(server: ServerProcess): Promise<HttpClient> {
  const admin = new HttpClient(server.port);
  expect((await admin.send('POST', '/api/auth/signin', await readAdministrator(server))).status).toBe(200);
  return admin;
}
