import { CannotStart } from '#server/process/cannot-start.ts';
import { auditLimits } from '#server/process/limits.ts';
import { readArguments } from './command.ts';
import { withDatabase } from './open-database.ts';

const example = 'audit prune --older-than-days 400';

/** `audit prune --older-than-days 400`: deletes older entries of the audit log, and says so in it. */
export async function auditPrune(given: string[], signal: AbortSignal): Promise<void> {
  const days = readDays(given);
  const gone = await withDatabase(signal, async ({ pool }) => {
    const client = await pool.connect();
    try {
      // A year of a busy log takes longer than the product's statements may.
      await client.query('begin; set local statement_timeout = 0');
      const { rows } = await client.query<{ gone: number }>(
        'select trim_audit_log(now() - make_interval(days => $1)) as gone',
        [days],
      );
      await client.query('commit');
      return rows[0]?.gone ?? 0;
    } finally {
      client.release(true);
    }
  });
  const rows = gone === 1 ? '1 ligne effacée' : `${gone.toLocaleString('fr-FR')} lignes effacées`;
  console.log(`Journal abrégé : ${rows}, de plus de ${days} jours.`);
}

/** Throws `CannotStart` for what the command does not know. */
function readDays(given: string[]): number {
  const options = { 'older-than-days': { type: 'string' } } as const;
  const asked = readArguments(given, { options, example }).values['older-than-days'];
  const days = asked !== undefined && /^\d{1,5}$/.test(asked) ? Number(asked) : Number.NaN;
  if (days >= auditLimits.keptDaysAtLeast) return days;
  throw new CannotStart(
    `--older-than-days attend un nombre entier de jours, ${auditLimits.keptDaysAtLeast} au moins. Par exemple : npm run guichet -- ${example}`,
  );
}
