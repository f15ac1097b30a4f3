import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../server/testing/eventually.ts';
import { HttpClient, postgresPid, printedAdministrator } from '../server/testing/server-process.ts';

/** Each installs hundreds of packages several times, on machines that may be busy. */
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 });

/** What people have: the npm that comes with a Node, that of Debian 13, and the newest. */
const installers = [
  ['9.2.0', '20.20.2'],
  ['10.8.2', '20.20.2'],
  ['10.9.3', '22.23.3'],
  ['11.19.1', '24.21.0'],
  ['11.19.1', '26.10.0'],
  ['12.2.0', '24.21.0'],
] as const;

const root = path.dirname(import.meta.dirname);
let folder: string;
let programs: string;
let env: Record<string, string | undefined>;
const running = new Set<ChildProcess>();

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-npm-')));
  programs = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-installer-')));
  // PostgreSQL's account may enter.
  chmodSync(folder, 0o755);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0'))
    if (file && existsSync(path.join(root, file)))
      cpSync(path.join(root, file), path.join(folder, file), { verbatimSymlinks: true });
});

afterEach(async () => {
  const ends = [...running].map((child) => once(child, 'close'));
  for (const child of running) process.kill(-(child.pid as number), 'SIGKILL');
  await Promise.all(ends);
  const postgres = postgresPid(path.join(folder, 'data'));
  if (postgres) process.kill(postgres, 'SIGQUIT');
  await Promise.all([folder, programs].map((made) => rm(made, { recursive: true, force: true })));
});

/** Where a package of the registry lies. What is fetched here stays from run to run; what the product fetches does not. */
function fetchPackage(name: string, version: string): string {
  const target = path.join(os.tmpdir(), 'guichet-installers', `${name}-${version}`);
  const fetched = path.join(target, 'node_modules', name);
  if (existsSync(fetched)) return fetched;
  mkdirSync(target, { recursive: true });
  execFileSync('npm', ['install', '--prefix', target, '--no-audit', '--no-fund', `${name}@${version}`]);
  return fetched;
}

/** Puts an npm and a Node in front of all others, with an empty cache, and nothing around of those that run this. */
function useInstaller(npm = '10.8.2', node = '20.20.2', settings: Record<string, string> = {}): void {
  symlinkSync(path.join(fetchPackage(`node-linux-${process.arch}`, node), 'bin/node'), path.join(programs, 'node'));
  symlinkSync(path.join(fetchPackage('npm', npm), 'bin/npm-cli.js'), path.join(programs, 'npm'));
  const others = process.env.PATH?.split(':').filter((each) => !each.includes('node_modules')) ?? [];
  const foreign = /^(?:npm_(?!config_registry)|NODE_(?!EXTRA_CA)|VITEST|TEST$|INIT_CWD|DATABASE_URL|DATA_DIR)/;
  env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    PATH: [programs, ...others].join(':'),
    npm_config_cache: path.join(programs, 'cache'),
    PORT: '0',
    SMS_PROVIDER: 'file',
    ...settings,
  };
}

/** Starts a command line, in a group of its own. */
function launch(line: string) {
  let said = '';
  const child = spawn('/bin/sh', ['-c', line], { cwd: folder, env, stdio: 'pipe', detached: true });
  running.add(child);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    running.delete(child);
    return code;
  });
  return { said: () => said, ended, child };
}

/** Runs a command line to its end, and answers what it said; throws that where its status is another than 0. */
async function run(line: string): Promise<string> {
  const { said, ended } = launch(line);
  const status = await ended;
  if (status !== 0) throw new Error(`${line} ended with ${status}:\n${said()}`);
  return said();
}

/**
 * Starts the product by a command line, signs its administrator in, and ends it: it leaves with 0 and without its PostgreSQL. A
 * first start, of which no administrator is known, answers the one that it prints.
 */
async function serve(line: string, known?: ReturnType<typeof printedAdministrator>) {
  const { said, ended, child } = launch(`exec ${line}`);
  // biome-ignore lint/nursery/noJsRestrictedProperties: it has a limit of its own, and gives up at once where the process has ended.
  const administrator = await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}:\n${said()}`);
      return said().includes('Guichet est prêt') && (known ?? printedAdministrator(said()));
    },
    { timeout: 600_000, interval: 50 },
  );
  const client = new HttpClient(Number(/prêt : http:\/\/localhost:(\d+)/.exec(said())?.[1]));
  // On a busy machine its first answers may be that it is busy.
  await eventually(async () => {
    const signedIn = await client.send('POST', '/api/auth/signin', administrator);
    expect(signedIn).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
  });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(postgresPid(path.join(folder, 'data'))).toBeUndefined();
  return administrator;
}

/** What the service unit starts, in the folder it starts it in. */
function unitLine(): string {
  const unit = readFileSync(path.join(root, 'ops/systemd/guichet.service'), 'utf8');
  return (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').replaceAll('/opt/guichet', folder);
}

test.each(installers)('npm %s on Node %s: started, signed in, stopped, and by the unit', async (npm, node) => {
  useInstaller(npm, node);
  expect(await run('npm --version && node --version')).toBe(`${npm}\nv${node}\n`);
  const administrator = await serve('npm start');
  await run('npm run --silent guichet -- backup made.backup');
  await serve('npm start', administrator);
  // What builds and tests goes, and on some npm links that are needed go along.
  await run('npm prune --omit=dev');
  await serve(unitLine(), administrator);
});

test('with ignore-scripts npm start is enough, and what builds and tests is found', async () => {
  useInstaller(undefined, undefined, { npm_config_ignore_scripts: 'true' });
  const administrator = await serve('npm start');
  await run('npm run --silent seed -- --users 10 --tickets 10');
  expect(await run('npm run --silent migration')).toContain('No schema changes');
  await run('npm run --silent check');
  await serve(unitLine(), administrator);
});

test('production modules alone, beside what another machine built', async () => {
  useInstaller();
  await run('node scripts/prepare.mjs start && rm -r node_modules && npm ci --omit=dev');
  const administrator = await serve('npm start');
  expect(existsSync(path.join(folder, 'node_modules/vite'))).toBe(false);
  await serve(unitLine(), administrator);
});
