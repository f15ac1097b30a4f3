import type { Connection } from '#server/database/connect.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';
import { readArguments } from './command.ts';
import { countPeople, makeUpData, type Volume } from './made-up-data.ts';
import { withDatabase } from './open-database.ts';

const options = { users: { type: 'string' }, tickets: { type: 'string' }, yes: { type: 'boolean' } } as const;
const most: Volume = { users: 5_000_000, tickets: 100_000_000 };

/**
 * `seed --users 1000 --tickets 50000`: so much made-up data, in the database that `npm start` would use. It stays for good: where
 * people have accounts only with `--yes`.
 */
export async function seed(given: string[], signal: AbortSignal): Promise<void> {
  const { values } = readArguments(given, { options, example: 'seed --users 1000 --tickets 50000' });
  const readCount = (name: keyof Volume, usual: string) => {
    const text = values[name] ?? usual;
    if (/^\d{1,9}$/.test(text) && Number(text) <= most[name]) return Number(text);
    throw new CannotStart(`--${name} attend un nombre entier de 0 à ${most[name]}, et non « ${text} ».`);
  };
  const volume = { users: readCount('users', '1000'), tickets: readCount('tickets', '50000') };
  const fill = async ({ db, pool }: Connection) => {
    const people = values.yes ? 0 : await countPeople(pool);
    if (people > 0)
      throw new CannotStart(
        `Cette boutique a déjà ${people} personne${people > 1 ? 's' : ''} : ces données inventées se mêleraient aux leurs pour toujours. Si ce n'est qu'un essai : npm run guichet -- seed --users ${volume.users} --tickets ${volume.tickets} --yes`,
      );
    await writeStarterData(db);
    await makeUpData(pool, volume, console.log);
  };
  await withDatabase(signal, fill, { make: true });
}
