import { sqlState } from '#server/database/connect.ts';
import { CannotStart } from '#server/process/cannot-start.ts';

/** By the beginning of PostgreSQL's SQLSTATE (appendix A), or the code of the system's own error. */
const reasons: [beginning: string, reason: string][] = [
  ['53100', 'le disque de PostgreSQL est plein'],
  ['53200', 'PostgreSQL n’a pas assez de mémoire'],
  ['53300', 'PostgreSQL a déjà toutes les connexions qu’il accepte'],
  ['53', 'PostgreSQL est à l’une de ses limites'],
  ['57P', 'PostgreSQL s’arrête ou redémarre'],
  ['58', 'le disque de PostgreSQL est en panne'],
  ['ENOSPC', 'le disque des images est plein'],
  ['EDQUOT', 'le quota du disque des images est atteint'],
  ['EIO', 'le disque des images est en panne'],
];

/** The sentence for what keeps a restoration from going on though nothing is wrong with the backup; undefined for anything else. */
export function whyStopped(error: unknown): CannotStart | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const state = sqlState(error) ?? code ?? '';
  const [beginning = '', reason] = reasons.find(([each]) => state.startsWith(each)) ?? [];
  if (!reason) return undefined;
  const said = beginning === '53' ? ` (${(error as Error).message})` : '';
  return new CannotStart(
    `La restauration s’est arrêtée : ${reason}${said}. Rien n’est resté dans la base : remédiez-y, puis lancez la même commande.`,
    { cause: error },
  );
}
