// No dependencies here, and nothing that Node 20 cannot read: it runs on whatever Node is first on the PATH.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const wanted = 26;
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The Node that npm installs beside the other dependencies, by the path of its package: npm 10 removes the link to it. */
export function pinnedNode() {
  const { platform, arch } = process;
  const middle = platform === 'darwin' && arch === 'arm64' ? 'bin-' : '';
  return path.join(modules, `node-${middle}${platform}-${arch}/bin/node`);
}

/**
 * Whether this process runs on Node 26, with the dependencies beside it. Where it does not, the pinned Node takes over with
 * this file and the same arguments, or, where there is none, a sentence says what to do, and the process ends with 1.
 */
export function runsOnPinnedNode(file) {
  const pinned = pinnedNode();
  const isRight =
    Number(process.versions.node.split('.')[0]) === wanted ||
    (existsSync(pinned) && realpathSync(pinned) === realpathSync(process.execPath));
  if (isRight && existsSync(path.join(modules, 'fastify/package.json'))) return true;
  if (!isRight && existsSync(pinned)) runOnPinnedNode([...process.execArgv, file, ...process.argv.slice(2)]);
  else {
    console.error(
      isRight
        ? 'Les dépendances ne sont pas installées : lancez « npm start », qui les installe.'
        : `Guichet tourne sur Node ${wanted}, et ceci est Node ${process.versions.node} : lancez « npm start », qui l'installe.`,
    );
    process.exitCode = 1;
  }
  return false;
}

/** glibc gives each thread memory of its own and gives little of it back: with two pools a process that decodes images takes 90 MB less. */
const environment = { MALLOC_ARENA_MAX: '2', ...process.env };

/**
 * Runs the pinned Node with these arguments in the place of this process. Node 20 cannot be replaced: there this process
 * passes signals on, and ends as the other one does.
 */
export function runOnPinnedNode(args) {
  const pinned = pinnedNode();
  if (process.execve) process.execve(pinned, [pinned, ...args], environment);
  const child = spawn(pinned, args, { stdio: 'inherit', env: environment });
  const pass = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (code !== null) process.exit(code);
    process.off(signal, pass);
    process.kill(process.pid, signal);
  });
}
