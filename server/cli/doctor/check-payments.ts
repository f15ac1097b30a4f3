import type pg from 'pg';
import { conditions } from '#server/features/alarms/conditions.ts';
import { readFeeds } from '#server/features/payment-feed/feed-alarms.ts';
import { openOperators } from '#server/features/payment-feed/operators/open-operators.ts';
import { readStatementModels } from '#server/features/payment-feed/statements/statement-model.ts';
import { type Check, type Finding, reasonOf } from './finding.ts';

/** Whether the operators' files are understood, and what each account's feed tells. */
export const checkPayments: Check = {
  title: 'Encaissements',
  async look({ pool }) {
    return [lookAtOperators(), ...(pool ? await lookAtFeeds(pool) : [])];
  },
};

function lookAtOperators(): Finding {
  try {
    const models = readStatementModels();
    return { is: `Les SMS de ${openOperators().length} dossiers et ${models.length} formes de relevés sont connus.` };
  } catch (error) {
    return {
      is: `Un fichier d'opérateur est illisible : ${reasonOf(error)}`,
      mend: 'Corrigez-le : docs/operators.md.',
    };
  }
}

async function lookAtFeeds(pool: pg.Pool): Promise<Finding[]> {
  const { text, values } = readFeeds();
  const { rows } = await pool.query(text, [...values]);
  const faults = (['payment-silence', 'payment-unread', 'payment-balance'] as const).flatMap((name) => {
    const { level, sentence } = conditions[name];
    return rows.filter((facts) => level(facts)).map((facts) => sentence(facts));
  });
  if (rows.length === 0) return [{ is: "Aucun compte n'est suivi : rien n'arrive dans Encaissements." }];
  if (faults.length === 0) return [{ is: `${rows.length} compte(s) suivi(s), sans rien à signaler.` }];
  return faults.map((is) => ({ is, mend: 'Voyez Administration, Paiements, Comptes.' }));
}
