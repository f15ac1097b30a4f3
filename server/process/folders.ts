import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { CannotStart } from './cannot-start.ts';

const reasons: Record<string, string> = {
  ENOENT: "son dossier n'existe pas et ne peut pas être créé",
  ENOTDIR: "ce n'est pas un dossier, ou il est sous un fichier",
  EACCES: "ce compte n'en a pas le droit",
  EPERM: "ce compte n'en a pas le droit",
  EROFS: 'ce disque est en lecture seule',
  ENOSPC: 'le disque est plein',
  EDQUOT: 'le quota du disque est atteint',
  EEXIST: "un fichier de ce nom existe déjà : si rien n'y écrit plus, supprimez-le",
};

/** Why the system refused to write a file or a folder, in French; the message of any other error. */
export function whyNotWritten(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/**
 * Makes the folder that a setting names, with its parents, and answers its real path. Throws `CannotStart` with the setting's name if the
 * folder cannot be made or written to. A full disk is not the setting's fault.
 */
export function requireFolder(setting: string, folder: string): string {
  try {
    makeStepByStep(folder);
    tryToWrite(folder);
    return realpathSync(folder);
  } catch (cause) {
    throw new CannotStart(
      `Le réglage ${setting} nomme un dossier (« ${folder} ») qui ne peut pas être créé ou écrit : ${whyNotWritten(cause)}.`,
      { cause },
    );
  }
}

/** Node's own recursive mkdir never ends below /proc. */
function makeStepByStep(folder: string): void {
  if (existsSync(folder)) {
    // Throws ENOTDIR for a file.
    readdirSync(folder);
    return;
  }
  makeStepByStep(path.dirname(folder));
  mkdirSync(folder);
  // PostgreSQL's account may pass through to its own folder and list nothing else, whatever our umask.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
}

function tryToWrite(folder: string): void {
  try {
    rmdirSync(mkdtempSync(path.join(folder, '.guichet-')));
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
