import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { TestApi } from './test-api.ts';

const commands = path.resolve(import.meta.dirname, '../cli/guichet.ts');

/** A database as DATABASE_URL names it. */
export function addressOf({ config }: Pick<TestApi, 'config'>): string {
  const url = new URL(`postgres://localhost:${config.port}/${config.database}`);
  Object.assign(url, { username: config.user, password: config.password });
  url.searchParams.set('host', String(config.host));
  return url.href;
}

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of `npm run guichet --` by these words in a process of its own, with these settings and no others, where no .env
 * of a developer's is. Answers its exit status and what it said.
 */
export function runCommand(
  words: readonly string[],
  settings: Record<string, string>,
  cwd = os.tmpdir(),
): Promise<Ended> {
  return startCommand(words, settings, cwd).ended;
}

/** The same, for who wants to end it before it ends by itself. */
export function startCommand(words: readonly string[], settings: Record<string, string>, cwd = os.tmpdir()) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [commands, ...words], {
    cwd,
    env: { PATH, TMPDIR: os.tmpdir(), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = listenTo(child);
  const ended = once(child, 'close').then(
    ([status]: (number | null)[]): Ended => ({ status: status ?? null, ...said }),
  );
  return { end: (signal: NodeJS.Signals) => void child.kill(signal), ended };
}

/** What a process prints from now on. */
export function listenTo(child: ChildProcessByStdio<null, Readable, Readable>) {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
    });
  return said;
}
