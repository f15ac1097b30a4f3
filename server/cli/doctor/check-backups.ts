import { accessSync, constants } from 'node:fs';
import { doctorLimits } from '#server/process/doctor-limits.ts';
import { type Check, type Finding, reasonOf } from './finding.ts';

const day = (at: Date) => at.toISOString().slice(0, 10).split('-').reverse().join('/');

export const checkBackups: Check = {
  title: 'Sauvegardes',
  async look({ environment, pool }) {
    const { BACKUP_DIR: folder } = environment;
    if (folder === undefined) {
      const is = 'BACKUP_DIR n’est pas réglé : aucune sauvegarde n’est faite d’elle-même.';
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
        is: 'Aucune sauvegarde n’a encore réussi.',
        mend: 'Faites-en une : npm run guichet -- backup FICHIER',
      });
    else if (Date.now() - last.at.getTime() > doctorLimits.backupMs)
      findings.push({
        is: `La dernière sauvegarde date du ${day(last.at)}.`,
        mend: 'Guichet tournait-il à BACKUP_HOUR ? Faites-en une à la main.',
      });
    else findings.push({ is: `La dernière sauvegarde date du ${day(last.at)}.` });
    return findings;
  },
};
