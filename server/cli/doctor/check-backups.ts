import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { conditions, dayInFrench } from '#server/features/alarms/conditions.ts';
import { type Check, type Finding, type Patient, reasonOf } from './finding.ts';

export const checkBackups: Check = {
  title: 'Sauvegardes',
  async look({ environment, home, pool }) {
    const { BACKUP_DIR: folder } = environment;
    if (folder === undefined) {
      const is = "BACKUP_DIR n'est pas réglé : aucune sauvegarde n'est faite d'elle-même.";
      const mend = 'Réglez BACKUP_DIR, et copiez les sauvegardes ailleurs.';
      return environment.NODE_ENV === 'production' ? [{ is, mend }] : [{ is }];
    }
    const findings: Finding[] = [];
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      const mend = `Créez-le pour le compte de Guichet : install -d -m 0700 -o guichet -g guichet ${folder}`;
      findings.push({ is: `Le dossier ${folder} ne peut pas être écrit (${reasonOf(error)}).`, mend });
    }
    findings.push(...lookAtFiles(folder), ...lookAtPlace(folder, { environment, home, pool }));
    if (!pool) return findings;
    const { rows } = await pool.query<{ at: Date | null; failure: string | null }>(
      `select (select max(finished_at) from backups where finished_at is not null and failure is null) as at,
              (select failure from backups order by started_at desc limit 1) as failure`,
    );
    const [last] = rows;
    if (last?.failure)
      findings.push({
        is: `La dernière sauvegarde a échoué : ${last.failure}`,
        mend: 'Corrigez-en la cause, puis faites-en une à la main.',
      });
    if (!last?.at)
      findings.push({
        is: "Aucune sauvegarde n'a encore réussi.",
        mend: 'Faites-en une : npm run guichet -- backup FICHIER',
      });
    else if (conditions['backup-old'].level({ ageSeconds: (Date.now() - last.at.getTime()) / 1_000 }))
      findings.push({
        is: `La dernière sauvegarde date du ${dayInFrench(last.at)}.`,
        mend: 'Guichet tournait-il à BACKUP_HOUR ? Faites-en une à la main.',
      });
    else findings.push({ is: `La dernière sauvegarde date du ${dayInFrench(last.at)}.` });
    return findings;
  },
};

/** Whoever reads one that is not sealed has everybody's numbers and requests. */
function lookAtFiles(folder: string): Finding[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter((name) => /\.backup(?:\.|$)/.test(name))
    .map((name) => path.join(folder, name));
  return files
    .filter((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found?.isFile() && (found.mode & 0o004) !== 0;
    })
    .map((file) => ({ is: `Tout compte de cette machine peut lire la sauvegarde ${file}.`, mend: `chmod o= ${file}` }));
}

/** A disk that breaks or is stolen takes both; sealed backups are at least unreadable. */
function lookAtPlace(folder: string, { environment, home }: Patient): Finding[] {
  const data = home ?? environment.DATA_DIR;
  const { BACKUP_PASSPHRASE, NODE_ENV } = environment;
  if (NODE_ENV !== 'production' || BACKUP_PASSPHRASE !== undefined) return [];
  const devices = [folder, data].map((each) => statSync(each, { throwIfNoEntry: false })?.dev);
  if (devices[0] === undefined || devices[0] !== devices[1]) return [];
  return [
    {
      is: `Les sauvegardes sont sur le disque des données (${folder}), et ne sont pas scellées.`,
      mend: 'Réglez BACKUP_PASSPHRASE ou BACKUP_DIR sur un autre disque, et copiez-les sur une autre machine (ops/systemd/guichet-copy.service).',
    },
  ];
}
