import { parseArgs } from 'node:util';
import type { Connection } from '#server/database/connect.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';
import { makeUpData, type Volume } from './made-up-data.ts';
import { withDatabase } from './open-database.ts';

const example = 'npm run seed -- --users 1000 --tickets 50000';
const inFrench = (count: number) => count.toLocaleString('fr-FR');
const most: Volume = { users: 5_000_000, tickets: 100_000_000 };

/** `npm run seed -- --users 100000 --tickets 1000000`: so much made-up data, in the database that `npm start` would use. */
async function seed(): Promise<void> {
  const given = readArguments();
  const volume = { users: readCount('users', given.users), tickets: readCount('tickets', given.tickets) };
  const fill = async ({ db, pool }: Connection) => {
    await writeStarterData(db);
    await makeUpData(pool, volume, console.log);
  };
  await withDatabase(undefined, fill, { make: true });
  console.log(`${inFrench(volume.users)} personnes et ${inFrench(volume.tickets)} tickets inventés.`);
}

/** Throws `CannotStart` for what the command does not know. */
function readArguments() {
  const options = {
    users: { type: 'string', default: '1000' },
    tickets: { type: 'string', default: '50000' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (cause) {
    const given = process.argv.slice(2).join(' ');
    throw new CannotStart(`« ${given} » n'est pas compris. Écrivez par exemple : ${example}`, { cause });
  }
}

function readCount(name: keyof Volume, given: string): number {
  const count = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (count <= most[name]) return count;
  throw new CannotStart(
    `--${name} attend un nombre entier de 0 à ${inFrench(most[name])}, et non « ${given} ». Par exemple : ${example}`,
  );
}

try {
  await seed();
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}
