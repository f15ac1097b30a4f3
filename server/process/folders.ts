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
 * Makes the folder that a setting names, with those above it, unless it is there, and answers its real path. Throws `CannotStart`, which
 * names the setting, where it cannot be made, or where nothing can be made in it; a full disk is no fault of the setting.
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
    // ENOTDIR for a file.
    readdirSync(folder);
    return;
  }
  makeStepByStep(path.dirname(folder));
  mkdirSync(folder);
  // PostgreSQL's account passes through to what is its own, whatever our umask is, and sees nothing else.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
}

function tryToWrite(folder: string): void {
  try {
    rmdirSync(mkdtempSync(path.join(folder, '.guichet-')));
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
