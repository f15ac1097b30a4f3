// Runs the server, restarted when its code changes, and Vite with hot module replacement. Ctrl-C, a signal or the end
// of either stops both. It waits for both, and PostgreSQL, to exit.
import { spawn } from 'node:child_process';
import { loadEnvironmentFile } from '#server/process/environment.ts';

// Both need the port: one to listen on, the other to send calls to.
loadEnvironmentFile();

const commands = [
  ['--watch-path=server', '--watch-path=contract', 'server/main.mjs'],
  ['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', '--port', '5173'],
];
/** Grace period in milliseconds; the server itself exits within 10 s. */
const timeToEnd = 12_000;

const children = commands.map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));
let stopping = false;

function stop() {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
  setTimeout(() => {
    for (const child of children) child.kill('SIGKILL');
  }, timeToEnd).unref();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
