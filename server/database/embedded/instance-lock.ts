import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { CannotStart } from '#server/process/cannot-start.ts';

export interface Lock {
  /** Lets others have it. */
  release(): void;
}

/** The system's errors for a file that could not be made or read, in words for the operator. */
export const fileTroubles: Readonly<Record<string, string>> = {
  EEXIST: 'il y a là un fichier',
  ENOTDIR: "il y a un fichier à la place d'un dossier",
  EACCES: "ce compte n'en a pas le droit",
  EPERM: "ce compte n'en a pas le droit",
  EROFS: 'ce disque est en lecture seule',
  ENOSPC: 'le disque est plein',
  ENOENT: "ce système n'y permet pas de dossier",
};

/** A socket in the home itself, so that every process on this home meets it, whatever its temporary folder and account. */
export const lockName = 'lock';

/** A socket's path is limited to 104 bytes on macOS, 108 on Linux, a zero byte included. */
export const longestSocket = 103;

/**
 * Keeps other processes off this home, by a socket on which one process listens. It goes silent when that process dies,
 * however it dies. Throws `CannotStart` where another process has it, or where this account may not write.
 */
export async function holdLock(home: string): Promise<Lock> {
  const { folder, close } = reach(home);
  const lock = path.join(folder, lockName);
  // Listened to under a name of its own first, so that it answers as soon as it has the lock's name.
  const own = asideOf(lock);
  try {
    // Everybody may ask whether it is alive; only who may write in the folder can take its place.
    const server = await listen({ path: own, readableAll: true, writableAll: true });
    try {
      await claim(own, lock, home);
    } catch (error) {
      server.close();
      throw error;
    }
    return {
      release() {
        rmSync(lock, { force: true });
        server.close();
        close();
      },
    };
  } catch (cause) {
    close();
    if (cause instanceof CannotStart) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    const reason = (!isForbidden && fileTroubles[code ?? '']) || otherAccount;
    throw new CannotStart(`Le dossier ${home} ne peut pas être réservé (${code}) : ${reason}.`, { cause });
  }
}

const otherAccount = 'lancez Guichet et ses commandes sous le compte à qui il appartient';
const asideOf = (lock: string) => `${lock}.${randomBytes(2).toString('hex')}`;
const inUse = (home: string) => new CannotStart(`Une autre instance de Guichet utilise déjà le dossier ${home}.`);

/** The home by a path that a socket's may begin with. Where its own is too long Linux has another, while it is open. */
function reach(home: string): { folder: string; close(): void } {
  if (Buffer.byteLength(asideOf(path.join(home, lockName))) <= longestSocket) return { folder: home, close() {} };
  if (!existsSync('/proc/self/fd'))
    throw new CannotStart(`Le chemin du dossier ${home} est trop long : donnez-en un plus court par DATA_DIR.`);
  const handle = openSync(home, 'r');
  return { folder: `/proc/self/fd/${handle}`, close: () => closeSync(handle) };
}

/** Gives our socket the lock's name, which none has that a living process listens on. */
async function claim(own: string, lock: string, home: string): Promise<void> {
  try {
    for (let tries = 0; tries < 3; tries += 1) {
      if (linked(own, lock)) return;
      const found = lstatSync(lock, { throwIfNoEntry: false });
      if (!found) continue;
      if (await answers(lock)) throw inUse(home);
      const aside = asideOf(lock);
      // Whoever cleared it meanwhile may have it by now: theirs is put back.
      if (!renamed(lock, aside)) continue;
      const isOther = lstatSync(aside).ino !== found.ino;
      if (isOther) linked(aside, lock);
      rmSync(aside, { force: true });
    }
    throw inUse(home);
  } finally {
    rmSync(own, { force: true });
  }
}

const linked = (from: string, to: string) => unless('EEXIST', () => linkSync(from, to));
const renamed = (from: string, to: string) => unless('ENOENT', () => renameSync(from, to));

/** Whether it was done; not so with that error. */
function unless(code: string, change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}

/** Whether a process is behind a socket; one that we may not ask counts as there. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = net.connect(socket, () => resolve(true));
    client
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
      .once('close', () => client.destroy());
  });
}

function listen(where: net.ListenOptions): Promise<net.Server> {
  const server = net.createServer((client) => client.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(where, () => resolve(server));
  });
}
