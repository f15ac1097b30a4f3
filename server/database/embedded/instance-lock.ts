import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CannotStart } from '#server/process/cannot-start.ts';
import { onWindows } from './programs.ts';

/** Short, since a socket's path is limited to 107 bytes. */
export function lockOf(home: string): string {
  const name = `guichet-${createHash('sha256').update(home).digest('hex').slice(0, 10)}`;
  return onWindows ? `\\\\.\\pipe\\${name}` : path.join(os.tmpdir(), `${name}.lock`);
}

/**
 * Keeps everybody else off this home, by a socket that only one process can listen on; the system frees it when that
 * process dies, however it dies. Throws `CannotStart` where another process has it.
 */
export async function holdLock(home: string): Promise<net.Server> {
  const name = lockOf(home);
  for (const attempt of [1, 2]) {
    const server = net.createServer((client) => client.destroy()).unref();
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve).listen(name, () => resolve(undefined));
    });
    if (!error) return server;
    if (error.code !== 'EADDRINUSE') throw error;
    if (attempt === 2 || (await answers(name)))
      throw new CannotStart(`Une autre instance de Guichet utilise déjà le dossier ${home}.`);
    rmSync(name, { force: true });
  }
  throw new CannotStart(`Le verrou ${name} ne peut pas être pris.`);
}

function answers(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = net.connect(name, () => resolve(true));
    client.once('error', () => resolve(false)).once('close', () => client.destroy());
  });
}
