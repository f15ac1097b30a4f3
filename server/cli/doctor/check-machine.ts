import { existsSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { constrainedMemory } from 'node:process';
import { conditions } from '#server/features/alarms/conditions.ts';
import type { Check, Finding, Patient } from './finding.ts';

/** Of the machine, or of the container: what the product and PostgreSQL run in. */
const enoughMemoryBytes = 480_000_000;

/** Files of the data folder that open doors. */
const secretFiles = ['session-secret', 'database-password', 'postgres-password'];

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1).replace('.', ',')} Go`;

function lookAtDisk(folder: string): Finding {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const is = `Il reste ${gigabytes(free)} sur le disque de ${folder}.`;
  if (!conditions.disk.level({ free, total: blocks * bsize, folder, host: os.hostname() })) return { is };
  return { is, mend: "Faites de la place : d'anciennes sauvegardes, les journaux ; ou prenez un disque plus grand." };
}

export const checkDisk: Check = {
  title: 'Disque',
  async look({ environment, home }: Patient) {
    const { BACKUP_DIR } = environment;
    const folders = [home ?? environment.DATA_DIR, BACKUP_DIR].filter((folder) => folder && existsSync(folder));
    return [...new Set(folders as string[])].map(lookAtDisk);
  },
};

export const checkMemory: Check = {
  title: 'Mémoire',
  async look() {
    const limit = constrainedMemory();
    const total = limit > 0 && limit < os.totalmem() ? limit : os.totalmem();
    const is = `Cette machine a ${gigabytes(total)} de mémoire.`;
    if (total >= enoughMemoryBytes) return [{ is }];
    return [
      { is, mend: "Guichet et PostgreSQL tournent dans 512 Mo : donnez-les-lui, ou ajoutez un fichier d'échange." },
    ];
  },
};

/** Whoever else may read them may sign codes and cookies, or open the database. */
export const checkSecrets: Check = {
  title: 'Secrets',
  async look({ home }) {
    const files = [...(home ? secretFiles.map((name) => path.join(home, name)) : []), path.resolve('.env')];
    const open = files.filter((file) => existsSync(file) && (statSync(file).mode & 0o007) !== 0);
    if (open.length === 0) return [{ is: 'Les fichiers de secrets ne sont lus que par leur compte.' }];
    return open.map((file) => ({
      is: `Tout compte de cette machine peut lire ${file}.`,
      mend: `chmod o= ${file} ; puis changez les secrets qui y sont, si d'autres que vous ont un compte ici.`,
    }));
  },
};
