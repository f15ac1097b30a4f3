import { parseArgs } from 'node:util';
import { connect } from '#server/database/connect.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';
import { makeUpData, type Volume } from './made-up-data.ts';

const example = 'npm run seed -- --users 1000 --tickets 50000';
const inFrench = (count: number) => count.toLocaleString('fr-FR');
const most: Volume = { users: 5_000_000, tickets: 100_000_000 };

/** `npm run seed -- --users 100000 --tickets 1000000`: so much made-up data, in the database that `npm start` would use. */
async function seed(): Promise<void> {
  const volume = readVolume();
  loadEnvironmentFile();
  const { DATABASE_URL, DATA_DIR } = readEnvironment();
  const embedded = DATABASE_URL ? undefined : await startEmbeddedDatabase(DATA_DIR);
  const config = { ...(embedded?.config ?? { connectionString: DATABASE_URL }) };
  try {
    await migrate(config);
    const connection = connect(config, (error) => console.error(error.message));
    try {
      await writeStarterData(connection.db);
      await makeUpData(connection.pool, volume, console.log);
    } finally {
      await connection.close();
    }
  } finally {
    await embedded?.stop();
  }
  console.log(`${inFrench(volume.users)} personnes et ${inFrench(volume.tickets)} tickets inventés.`);
}

/** Throws `CannotStart` for what the command does not know. */
function readVolume(): Volume {
  const given = readArguments();
  return { users: readCount('users', given.users), tickets: readCount('tickets', given.tickets) };
}

function readArguments() {
  const options = {
    users: { type: 'string', default: '1000' },
    tickets: { type: 'string', default: '50000' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (cause) {
    const given = process.argv.slice(2).join(' ');
    throw new CannotStart(`« ${given} » n’est pas compris. Écrivez par exemple : ${example}`, { cause });
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
