import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../bench/free-port.ts';
import type { Ends } from '../bench/stage.ts';
import type { Machine } from './machines.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Starts a program of the drill's own machine, which ends with the drill. */
function start(
  command: string[],
  { log, env, ends }: { log: string; env?: NodeJS.ProcessEnv; ends: Ends },
): ChildProcess {
  const output = openSync(log, 'a');
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    cwd: path.dirname(log),
    env: env ?? process.env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const forget = ends.add(end);
  child.once('exit', () => void forget());
  return child;
}

/** HAProxy in front of the databases: whoever Patroni says is leader, and nobody else. Answers its port. */
export async function startDatabaseProxy(machines: readonly Machine[], folder: string, ends: Ends): Promise<number> {
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  const servers = machines.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`);
  writeFileSync(
    file,
    `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen postgresql
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
  start(['haproxy', '-db', '-f', file], { log: path.join(folder, 'haproxy.log'), ends });
  return port;
}

/** Three processes of the product on one database, and Caddy in front of them. */
export class Product {
  readonly url: string;
  readonly ports: readonly number[];
  readonly #folder: string;
  readonly #database: string;
  readonly #ends: Ends;
  readonly #processes: ChildProcess[] = [];

  private constructor(options: { port: number; ports: number[]; folder: string; database: string; ends: Ends }) {
    this.url = `http://127.0.0.1:${options.port}`;
    this.ports = options.ports;
    this.#folder = options.folder;
    this.#database = options.database;
    this.#ends = options.ends;
  }

  static async start(database: string, { folder, ends }: { folder: string; ends: Ends }): Promise<Product> {
    const ports = [await freePort(), await freePort(), await freePort()];
    const product = new Product({ port: await freePort(), ports, folder, database, ends });
    mkdirSync(path.join(folder, 'product'));
    for (const index of ports.keys()) {
      product.launch(index);
      await product.untilReady(index);
    }
    const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', path.join(root, 'ops/caddy/Caddyfile')];
    start(command, {
      log: path.join(folder, 'caddy.log'),
      env: {
        ...process.env,
        GUICHET_SITE: product.url,
        GUICHET_PROCESSES: ports.map((port) => `127.0.0.1:${port}`).join(' '),
        CADDY_ADMIN: 'off',
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
      ends,
    });
    await untilOk(`${product.url}/api/health/ready`);
    return product;
  }

  launch(index: number): void {
    this.#processes[index] = start([process.execPath, path.join(root, 'server/main.mjs')], {
      log: this.#logOf(index),
      env: {
        PATH: process.env.PATH,
        PORT: String(this.ports[index]),
        DATABASE_URL: this.#database,
        DATA_DIR: path.join(this.#folder, 'product'),
        SESSION_SECRET: 'un secret partagé, assez long pour cela',
        ADMIN_PASSWORD: 'mot-de-passe-de-l-exercice',
        SMS_PROVIDER: 'file',
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMITS: 'off',
        STOP_DELAY_SECONDS: '3',
      },
      ends: this.#ends,
    });
  }

  /** What the log of the processes has under these ids. */
  linesOf(requestIds: readonly string[]): string[] {
    const lines = this.ports.flatMap((_, index) => readFileSync(this.#logOf(index), 'utf8').split('\n'));
    return lines.filter((line) => requestIds.some((id) => line.includes(`"reqId":"${id}"`)));
  }

  #logOf(index: number): string {
    return path.join(this.#folder, `product-${index}.log`);
  }

  untilReady(index: number): Promise<void> {
    return untilOk(`http://127.0.0.1:${this.ports[index]}/api/health/ready`);
  }

  /** Ends a process and waits until it has; answers with which code. */
  async end(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#processes[index];
    if (!child) return null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  }
}

async function untilOk(url: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(50))
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
      await answer.arrayBuffer();
      if (answer.ok) return;
    } catch {
      // Not yet.
    }
  throw new Error(`${url} does not answer`);
}
