import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { PrimaryOnlyClient } from '#server/database/clients.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { requireUsableServer } from '#server/database/usable-server.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { type Environment, loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { checkAddress } from './check-address.ts';
import { checkBackups } from './check-backups.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk, checkMemory, checkSecrets } from './check-machine.ts';
import { checkPayments } from './check-payments.ts';
import { checkCatalogue, checkContact, checkSettings, checkUnusable } from './check-settings.ts';
import { checkSms } from './check-sms.ts';
import { answerMs, type Check, type Finding, reasonOf } from './finding.ts';

const checks: readonly Check[] = [
  checkSettings,
  checkDatabase,
  checkSecrets,
  checkDisk,
  checkMemory,
  checkAddress,
  checkSms,
  checkCatalogue,
  checkUnusable,
  checkContact,
  checkPayments,
  checkBackups,
];

/**
 * `doctor`: checks all that the product needs, also while it runs. It prints the state of each thing and how to mend
 * faults, and the process ends with 1 where there are any. A signal ends it after the check under way, which cleans up.
 */
export async function doctor(given: string[], signal: AbortSignal): Promise<void> {
  if (given.length > 0)
    throw new CannotStart(`« ${given.join(' ')} » n'est pas compris. Écrivez : npm run guichet -- doctor`);
  let faults = 0;
  const tell = (title: string, findings: Finding[]) => {
    for (const { is, mend } of findings) {
      console.log(`${mend ? '✗' : '✓'} ${title} : ${is}${mend ? `\n    → ${mend}` : ''}`);
      if (mend) faults += 1;
    }
  };
  const environment = readSettings(tell);
  if (environment) await examine(environment, tell, signal);
  console.log(faults === 0 ? 'Tout va bien.' : `${faults} chose${faults > 1 ? 's' : ''} à corriger.`);
  if (faults > 0) process.exitCode = 1;
}

type Tell = (title: string, findings: Finding[]) => void;

function readSettings(tell: Tell): Environment | undefined {
  try {
    loadEnvironmentFile();
    const environment = readEnvironment();
    tell('Réglages', [{ is: 'Tous sont lisibles.' }]);
    return environment;
  } catch (error) {
    tell('Réglages', [
      { is: reasonOf(error), mend: "Corrigez-le dans .env ou dans l'environnement : .env.example les explique." },
    ]);
    return undefined;
  }
}

async function examine(environment: Environment, tell: Tell, signal: AbortSignal): Promise<void> {
  const database = await openDatabase(environment).catch((error: unknown) => {
    const mend = 'Démarrez ce serveur, ou corrigez DATABASE_URL ou DATA_DIR ; Guichet répond 503 en attendant.';
    tell('Base de données', [{ is: reasonOf(error), mend }]);
    return undefined;
  });
  const folder = path.resolve(environment.DATA_DIR);
  const home = existsSync(folder) ? findHome(folder) : undefined;
  try {
    for (const { title, look } of checks) {
      signal.throwIfAborted();
      tell(
        title,
        await look({ environment, home, pool: database?.pool }).catch((error: unknown) => [
          { is: `Ne peut pas être vérifié (${reasonOf(error)}).`, mend: "Corrigez d'abord ce qui précède." },
        ]),
      );
    }
    signal.throwIfAborted();
  } finally {
    await database?.close();
  }
}

/** The database as it is: nothing is migrated or written. */
async function openDatabase({ DATABASE_URL, DATA_DIR }: Environment) {
  if (DATABASE_URL) await requireUsableServer(DATABASE_URL);
  const embedded = DATABASE_URL ? undefined : await openEmbeddedDatabase(DATA_DIR);
  const pool = new pg.Pool({
    ...(embedded?.config ?? { connectionString: DATABASE_URL }),
    Client: PrimaryOnlyClient,
    max: 2,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  pool.on('error', () => {});
  return {
    pool,
    async close() {
      await pool.end();
      await embedded?.stop();
    },
  };
}
