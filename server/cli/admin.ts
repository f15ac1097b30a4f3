import { formatPhone } from '#contract/phone.ts';
import { possiblePhones } from '#contract/read-phone.ts';
import {
  createAdministrator,
  removeAdministrator,
  resetAdministrator,
} from '#server/features/accounts/administrators.ts';
import { findUserByPhone, unnamed } from '#server/features/users/store.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { readArguments } from './command.ts';
import { withDatabase } from './open-database.ts';

/** As long as a first and a last name may be. */
const nameCharacters = 80;

/**
 * `admin create --phone +22670000000 [--name "Fatou Diallo"] [--yes]`: another administrator. Of who has an account only with
 * `--yes`, since their password and sessions end. The password is printed once.
 */
export async function adminCreate(given: string[], signal: AbortSignal): Promise<void> {
  const options = { phone: { type: 'string' }, name: { type: 'string' }, yes: { type: 'boolean' } } as const;
  const example = 'admin create --phone +22670000000 --name "Fatou Diallo"';
  const { phone: typed = '', name, yes = false } = readArguments(given, { options, example }).values;
  const [phone, ...others] = typed.trim().startsWith('+') ? possiblePhones(typed) : [];
  if (!phone || others.length > 0)
    throw new CannotStart(
      `--phone attend un numéro mobile international, et non « ${typed} ». Par exemple : npm run guichet -- ${example}`,
    );
  const person = { phone, ...readName(name) };
  const created = await withDatabase(signal, async ({ db }) => {
    const known = yes ? undefined : await findUserByPhone(db, phone);
    if (known && !known.isAdmin)
      throw new CannotStart(
        `Le numéro ${formatPhone(phone)} est celui du compte de ${known.firstName} ${known.lastName} : devenir administrateur lui donne un nouveau mot de passe et ferme ses sessions. Si c'est bien la bonne personne : npm run guichet -- admin create --phone ${phone} --yes`,
      );
    return createAdministrator(db, person);
  });
  if (created) return tellAdministrator(created);
  throw new CannotStart(
    `Le numéro ${formatPhone(phone)} est déjà celui d'un administrateur. Pour un nouveau mot de passe : npm run guichet -- admin reset --phone ${phone}`,
  );
}

/** The first word is the first name. */
function readName(name: string | undefined): { firstName: string; lastName: string } {
  if (name === undefined) return unnamed;
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  const lastName = rest.join(' ');
  if (firstName && Math.max(firstName.length, lastName.length) <= nameCharacters) return { firstName, lastName };
  throw new CannotStart(`--name attend un prénom et un nom, de ${nameCharacters} caractères au plus chacun.`);
}

/** `admin reset [--phone +22670000000]`: a new password for the first administrator, or the one with that number; ends their sessions. */
export async function adminReset(given: string[], signal: AbortSignal): Promise<void> {
  const options = { phone: { type: 'string' } } as const;
  const { phone } = readArguments(given, { options, example: 'admin reset --phone +22670000000' }).values;
  if (phone !== undefined && possiblePhones(phone).length === 0)
    throw new CannotStart(`--phone attend un numéro mobile, et non « ${phone} ».`);
  const phones = phone ? possiblePhones(phone) : undefined;
  const reset = await withDatabase(signal, ({ db }) => resetAdministrator(db, phones));
  if (!reset)
    throw new CannotStart(
      phone ? `Aucun administrateur n'a le numéro ${phone}.` : "Il n'y a pas encore d'administrateur.",
    );
  tellAdministrator(reset);
}

/** `admin remove --phone +22670000000`: takes the role away, not the account; the last administrator keeps it. */
export async function adminRemove(given: string[], signal: AbortSignal): Promise<void> {
  const options = { phone: { type: 'string' } } as const;
  const { phone = '' } = readArguments(given, { options, example: 'admin remove --phone +22670000000' }).values;
  const removed = await withDatabase(signal, ({ db }) => removeAdministrator(db, possiblePhones(phone)));
  if (removed === 'unknown') throw new CannotStart(`Aucun administrateur n'a le numéro « ${phone} ».`);
  if (removed === 'last') throw new CannotStart('Il doit rester un administrateur.');
  console.log(`${formatPhone(removed.phone)} n'est plus administrateur.`);
}

/** Says with what an administrator signs in: the only time that anybody reads this password. */
function tellAdministrator({ user, password }: { user: { phone: string }; password: string }): void {
  console.log(`Administrateur : ${formatPhone(user.phone)} · mot de passe : ${password} (affiché une seule fois)`);
}
