import { parseArgs } from 'node:util';
import pg from 'pg';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { auditLimits } from '#server/process/limits.ts';

const example = 'npm run trim-audit-log -- --older-than-days 400';

/**
 * `npm run trim-audit-log -- --older-than-days 400`: deletes what is older from the audit log of the database that `npm start`
 * uses, also while it does. The log says so itself.
 */
async function trimAuditLog(): Promise<void> {
  const days = readDays();
  loadEnvironmentFile();
  const { DATABASE_URL, DATA_DIR } = readEnvironment();
  const embedded = DATABASE_URL ? undefined : await openEmbeddedDatabase(DATA_DIR);
  const config = { ...(embedded?.config ?? { connectionString: DATABASE_URL }) };
  try {
    await migrate(config);
    const gone = await deleteOlder(config, days);
    const rows = gone === 1 ? '1 ligne effacée' : `${gone.toLocaleString('fr-FR')} lignes effacées`;
    console.log(`Journal abrégé : ${rows}, de plus de ${days} jours.`);
  } finally {
    await embedded?.stop();
  }
}

/** Answers how many rows are gone. A year of a busy log takes longer than the product's statements may. */
async function deleteOlder(config: pg.ClientConfig, days: number): Promise<number> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await client.query('begin; set local statement_timeout = 0');
    const { rows } = await client.query<{ gone: number }>(
      'select trim_audit_log(now() - make_interval(days => $1)) as gone',
      [days],
    );
    await client.query('commit');
    return rows[0]?.gone ?? 0;
  } finally {
    await client.end();
  }
}

/** Throws `CannotStart` for what the command does not know. */
function readDays(): number {
  const given = readArguments();
  const days = given !== undefined && /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (days >= auditLimits.keptDaysAtLeast) return days;
  throw new CannotStart(
    `--older-than-days attend un nombre entier de jours, ${auditLimits.keptDaysAtLeast} au moins. Par exemple : ${example}`,
  );
}

function readArguments(): string | undefined {
  try {
    return parseArgs({ options: { 'older-than-days': { type: 'string' } } }).values['older-than-days'];
  } catch (cause) {
    const given = process.argv.slice(2).join(' ');
    throw new CannotStart(`« ${given} » n’est pas compris. Écrivez par exemple : ${example}`, { cause });
  }
}

try {
  await trimAuditLog();
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}
