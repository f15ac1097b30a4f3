import { possiblePhones } from '#contract/phone.ts';
import { resetAdministrator } from '#server/features/accounts/administrators.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { tellAdministrator } from './administrator-line.ts';
import { readArguments } from './command.ts';
import { withDatabase } from './open-database.ts';

/**
 * `admin reset [--phone +22670000000]`: a new password for the first administrator, or for the one with that number, in the
 * database that `npm start` uses, also while it does. It is printed once and stored nowhere; every session of theirs ends.
 */
export async function adminReset(given: string[], signal: AbortSignal): Promise<void> {
  const options = { phone: { type: 'string' } } as const;
  const { phone } = readArguments(given, { options, example: 'admin reset --phone +22670000000' }).values;
  if (phone !== undefined && possiblePhones(phone).length === 0)
    throw new CannotStart(`--phone attend un numéro mobile, et non « ${phone} ».`);
  const phones = phone ? possiblePhones(phone) : undefined;
  const reset = await withDatabase(signal, ({ db }) => resetAdministrator(db, phones));
  if (!reset)
    throw new CannotStart(
      phone ? `Aucun administrateur n’a le numéro ${phone}.` : 'Il n’y a pas encore d’administrateur.',
    );
  tellAdministrator(reset);
}
