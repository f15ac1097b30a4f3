import { parseArgs } from 'node:util';
import { formatPhone, possiblePhones } from '#contract/phone.ts';
import { connect } from '#server/database/connect.ts';
import { openEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { requireUsableServer } from '#server/database/usable-server.ts';
import { resetAdministrator } from '#server/features/accounts/reset-administrator.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';

/**
 * `admin reset [--phone +22670000000]`: a new password for the first administrator, or for the one with that number, in the
 * database that `npm start` uses, also while it does. It is told once and stored nowhere; every session of theirs ends.
 */
export async function adminReset(given: string[]): Promise<void> {
  const phone = readPhone(given);
  loadEnvironmentFile();
  const { DATABASE_URL, DATA_DIR } = readEnvironment();
  if (DATABASE_URL) await requireUsableServer(DATABASE_URL);
  const embedded = DATABASE_URL ? undefined : await openEmbeddedDatabase(DATA_DIR);
  const config = { ...(embedded?.config ?? { connectionString: DATABASE_URL }) };
  try {
    await migrate(config);
    const connection = connect(config, (error) => console.error(error.message));
    try {
      const reset = await resetAdministrator(connection.db, phone ? possiblePhones(phone) : undefined);
      if (!reset)
        throw new CannotStart(
          phone ? `Aucun administrateur n’a le numéro ${phone}.` : 'Il n’y a pas encore d’administrateur.',
        );
      console.log(
        `Administrateur : ${formatPhone(reset.user.phone)} · mot de passe : ${reset.password} (affiché une seule fois)`,
      );
    } finally {
      await connection.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** Throws `CannotStart` for what the command does not know. */
function readPhone(given: string[]): string | undefined {
  const phone = readArguments(given);
  if (phone === undefined || possiblePhones(phone).length > 0) return phone;
  throw new CannotStart(`--phone attend un numéro mobile, et non « ${phone} ».`);
}

function readArguments(given: string[]): string | undefined {
  try {
    return parseArgs({ args: given, options: { phone: { type: 'string' } } }).values.phone;
  } catch (cause) {
    throw new CannotStart(
      `« ${given.join(' ')} » n’est pas compris. Écrivez par exemple : npm run guichet -- admin reset --phone +22670000000`,
      { cause },
    );
  }
}
