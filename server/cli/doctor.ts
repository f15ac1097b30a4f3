import { existsSync } from 'node:fs';
import path from 'node:path';
import { readReadiness } from '#contract/health.ts';
import { connect } from '#server/database/connect.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { databaseLimits } from '#server/database/limits.ts';
import { requireKnownVersion } from '#server/database/migrate.ts';
import { isOtherSecret, otherSecret } from '#server/database/product-keys.ts';
import { conditions, watchedBy } from '#server/features/alarms/conditions.ts';
import { readPage } from '#server/http/static-site.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import type { Environment } from '#server/process/environment.ts';
import { findSecret } from '#server/process/secret-file.ts';
import { readArguments } from './command.ts';
import { openDatabase } from './open-database.ts';

/** For the product's own address to answer. */
const answerMs = 8_000;

/**
 * `doctor`: checks the settings, the conditions of the alarms and the public address, also while the product runs. Nothing is
 * written or migrated. It prints what is wrong and what to do; the process ends with 1 where anything is. Throws `CannotStart`
 * for a setting that cannot be read, and for a database that cannot be opened.
 */
export async function doctor(given: string[], signal: AbortSignal): Promise<void> {
  readArguments(given, { options: {}, example: 'doctor' });
  let faults = 0;
  const report = (title: string, problem: string | undefined, advice: string) => {
    console.log(problem ? `✗ ${title} : ${problem}\n    → ${advice}` : `✓ ${title}`);
    if (problem) faults += 1;
  };
  const { environment, config, stop } = await openDatabase();
  try {
    const connection = connect(config, () => {}, databaseLimits);
    const folder = path.resolve(environment.DATA_DIR);
    const home = existsSync(folder) ? findHome(folder) : undefined;
    const watched = { ...connection, ...watchedBy(environment, home) };
    try {
      const client = await connection.pool.connect().catch(() => undefined);
      if (client)
        report(
          'Version',
          await requireKnownVersion(client)
            .then(
              () => undefined,
              (error: unknown) => (error instanceof CannotStart ? error.message : unverifiable(error)),
            )
            .finally(() => client.release()),
          'Aucune autre version ne démarre sur cette base.',
        );
      for (const { title, check, advice } of conditions) {
        signal.throwIfAborted();
        report(title, await check(watched).catch(unverifiable), advice);
      }
      const isOther = isOtherSecret(connection.db, findSecret(environment, home));
      report(
        'SESSION_SECRET',
        await isOther.then((other) => (other ? otherSecret : undefined), unverifiable),
        "Remettez l'ancien pour les garder, ou démarrez : le nouveau vaut alors, et chacun demande un nouveau code.",
      );
      const advice =
        'Vérifiez PUBLIC_URL, que le nom mène ici, que le mandataire envoie au bon port, et que Guichet tourne.';
      report('Adresse publique', await checkAddress(environment), advice);
    } finally {
      await connection.close();
    }
  } finally {
    await stop();
  }
  signal.throwIfAborted();
  console.log(faults === 0 ? 'Tout va bien.' : `${faults} chose${faults > 1 ? 's' : ''} à corriger.`);
  if (faults > 0) process.exitCode = 1;
}

async function checkAddress({ PUBLIC_URL, NODE_ENV }: Environment): Promise<string | undefined> {
  if (PUBLIC_URL === undefined) return NODE_ENV === 'production' ? 'PUBLIC_URL manque.' : undefined;
  try {
    const answer = await fetch(new URL(readReadiness.path, PUBLIC_URL), { signal: AbortSignal.timeout(answerMs) });
    // Whatever else is served there may answer 200 too.
    const isOurs = answer.ok && (await answer.text()).startsWith('{"status":"ok"');
    if (!isOurs) return `${PUBLIC_URL} n'est pas servi par Guichet (réponse ${answer.status}).`;
    const page = await fetch(PUBLIC_URL, { signal: AbortSignal.timeout(answerMs) });
    if ((await page.text()) === readPage()) return undefined;
    return `La page de ${PUBLIC_URL} est modifiée en chemin, par un CDN par exemple : sans la page d'origine, ni notifications ni usage hors connexion. Arrêtez-y ce qui change les pages (scripts ajoutés, minification).`;
  } catch (error) {
    return `${PUBLIC_URL} ne répond pas (${reasonOf(error)}).`;
  }
}

const unverifiable = (error: unknown) => `Ne peut pas être vérifié (${reasonOf(error)}).`;

/** The innermost cause: `fetch` and the database's driver wrap it. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0]) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause ? reasonOf(error.cause) : error.message;
}
