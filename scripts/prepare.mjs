// Runs before npm's scripts (`serve`, `start` or `test` says for which of them), on any Node from 20 and before anything is installed: no dependencies here.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium.mjs';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const installStamp = path.join(root, 'node_modules/.guichet-installed');
const buildStamp = path.join(root, 'dist/web/.guichet-built');

const say = (sentence) => console.error(sentence);

/** What an install depends on: the lock file, and the machine its binaries are for. */
function installState() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}

/** What a build depends on, by name and content: a copy of it on another machine is as fresh. */
function buildState() {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const folder of ['web', 'contract'])
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.includes('.test.')) continue;
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      hash.update(`${path.relative(root, file)} ${statSync(file).size}\n`).update(readFileSync(file));
    }
  return hash.digest('hex');
}

const isFresh = (stamp, state) => existsSync(stamp) && readFileSync(stamp, 'utf8') === state;

/** Whether what serves the product is installed, be it without what builds and tests it (npm ci --omit=dev). */
function canServe() {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed) || !existsSync(pinnedNode())) return false;
  const there = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).every(
    ([place, { version, dev, optional, devOptional }]) =>
      place === '' || dev || optional || devOptional || there[place]?.version === version,
  );
}

function install() {
  const state = installState();
  if (isFresh(installStamp, state) && existsSync(pinnedNode())) return;
  say('Installation des dépendances (npm ci)…');
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const options = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  execFileSync(command, [...first, ...options], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && !npm,
  });
  writeFileSync(installStamp, state);
}

/** The pinned Node, whatever runs this script: npm installs the package of this platform, and links its program. */
function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const middle = process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : '';
  const system = process.platform === 'win32' ? 'win' : process.platform;
  return path.join(root, `node_modules/node-${middle}${system}-${process.arch}/bin`, name);
}

function build() {
  const state = buildState();
  if (isFresh(buildStamp, state)) return;
  say('Construction de l’application web…');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(pinnedNode(), [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  mkdirSync(path.dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, state);
}

try {
  if (Number(process.versions.node.split('.')[0]) < 20) throw new Error('Guichet demande Node 20 ou plus récent.');
  process.chdir(root);
  // `serve` runs the product; whatever else there is needs what builds it too.
  const ready = process.argv[2] === 'serve' && isFresh(buildStamp, buildState()) && canServe();
  if (!ready) {
    install();
    build();
  }
  if (process.argv[2] === 'test') ensureChromium(say);
} catch (error) {
  say(error.status === undefined ? error.message : `La préparation a échoué (${error.message.split('\n')[0]}).`);
  process.exit(1);
}
