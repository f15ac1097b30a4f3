import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Connection, connect, type Db } from '#server/database/connect.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The product as `npm start` runs it, on its own embedded database; nothing in it is replaced. */
export interface Product {
  url: string;
  pid: number;
  administrator: { phone: string; password: string };
  /** The code of the number's newest message; waits for a message that `readCode` has not returned yet. */
  readCode(phone: string): Promise<string>;
  openDatabase(): Promise<Db>;
  stop(): Promise<void>;
}

/** A new data folder, accessible to the account of the embedded PostgreSQL. */
export function makeDataFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-e2e-')));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Starts the product on a data folder, which `stop` removes unless `keep` is set; `settings` are environment variables.
 */
export async function startProduct(
  folder = makeDataFolder(),
  settings: Record<string, string> = {},
  { keep = false }: { keep?: boolean } = {},
): Promise<Product> {
  const child = spawn(process.execPath, [path.join(root, 'server/main.mjs')], {
    // A folder without a developer's .env.
    cwd: folder,
    env: {
      ...process.env,
      // As `npm start` and the service units set it.
      MALLOC_ARENA_MAX: '2',
      DATA_DIR: folder,
      PORT: '0',
      SMS_PROVIDER: 'file',
      DATABASE_URL: '',
      NODE_OPTIONS: '',
      // Shared with the tests of server/: a start takes a third less processor time to read its settings.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/guichet-compiled'),
      // Tests may use their own addresses: together they exceed the code limit of one address.
      TRUST_PROXY: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A used folder has its administrator: no password is printed.
  const printed = await readStart(child, keep ? 'Guichet est prêt' : 'mot de passe');
  const [, url = ''] = /prêt : (\S+)/.exec(printed) ?? [];
  const [, phone = '', password = ''] = /Administrateur : ([+\d ]+) · mot de passe : (\S+)/.exec(printed) ?? [];
  // A public address need not lead here.
  await untilReady(settings.PORT ? `http://127.0.0.1:${settings.PORT}` : url);
  const seen = new Map<string, number>();
  let connection: Promise<Connection> | undefined;
  return {
    url,
    pid: child.pid as number,
    administrator: { phone: phone.trim(), password },
    readCode: (number) => readCode(path.join(folder, 'sms.jsonl'), number, seen),
    async openDatabase() {
      connection ??= openEmbeddedDatabase(folder).then(({ config }) => connect(config, () => {}));
      return (await connection).db;
    },
    async stop() {
      await (await connection)?.close();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      if (keep) return;
      for (const made of [findHome(folder), folder]) rmSync(made, { recursive: true, force: true });
    },
  };
}

function readStart(child: ChildProcess, sign: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes(sign)) resolve(printed);
    });
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}: ${printed}`)));
  });
}

/** On a busy machine the product may be too slow at first, and refuse calls. */
async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await fetch(`${url}/api/health/ready`)).ok) {
    if (Date.now() > deadline) throw new Error('the product refuses calls');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function readCode(file: string, phone: string, seen: Map<string, number>): Promise<string> {
  const deadline = Date.now() + 60_000;
  const after = seen.get(phone) ?? 0;
  while (Date.now() < deadline) {
    // What follows the last line's end is not written whole yet.
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    const messages = lines.map((line) => JSON.parse(line) as { to: string; text: string });
    const mine = messages.filter((message) => message.to === phone);
    if (mine.length > after) {
      seen.set(phone, mine.length);
      return /\b\d{4}\b/.exec(mine.at(-1)?.text ?? '')?.[0] ?? '';
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no SMS to ${phone}`);
}
