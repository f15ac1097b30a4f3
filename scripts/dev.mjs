// The server, restarted when its code changes, and Vite, which swaps the web app's parts in place. Ctrl-C ends both.
import { spawn } from 'node:child_process';

const commands = [
  ['--watch-path=server', '--watch-path=contract', 'server/main.ts'],
  ['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', '--port', '5173'],
];
const children = commands.map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop).on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
