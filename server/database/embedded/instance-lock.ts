import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart } from '#server/process/cannot-start.ts';

export interface Lock {
  /** Lets others have it. */
  release(): void;
}

/** `SQLITE_BUSY`. */
const busy = 5;

/**
 * Keeps other processes off this home, whatever their temporary folder and account. The lock is the system's on a file, which
 * Node has no call for and SQLite does; it ends with the process, however that dies. Throws `CannotStart`.
 */
export function holdLock(home: string): Lock {
  try {
    const file = new DatabaseSync(path.join(home, 'guichet.lock'), { timeout: 0 });
    file.exec('pragma journal_mode = memory; begin exclusive');
    return { release: () => file.close() };
  } catch (cause) {
    const { errcode } = cause as { errcode?: number };
    if (errcode === busy) throw new CannotStart(`Une autre instance de Guichet utilise déjà le dossier ${home}.`);
    throw new CannotStart(
      `Le dossier ${home} ne peut pas être réservé (${(cause as Error).message}) : vérifiez que le disque accepte l'écriture, et lancez Guichet et ses commandes sous le compte à qui ce dossier appartient.`,
      { cause },
    );
  }
}
