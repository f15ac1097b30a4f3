import { connect } from '#server/database/connect.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';
import { makeUpData } from './made-up-data.ts';

/** `npm run seed -- 10000 500000`: so many made-up users and tickets, in the database that `npm start` would use. */
const [users = 1_000, tickets = 50_000] = process.argv.slice(2).map(Number);
loadEnvironmentFile();
const { DATABASE_URL, DATA_DIR } = readEnvironment();
const embedded = DATABASE_URL ? undefined : await startEmbeddedDatabase(DATA_DIR);
const config = { ...(embedded?.config ?? { connectionString: DATABASE_URL }) };
try {
  await migrate(config);
  const connection = connect(config, (error) => console.error(error.message));
  await connection.pool.query('set statement_timeout = 0');
  await writeStarterData(connection.db);
  await makeUpData(connection.pool, { users, tickets });
  await connection.close();
  console.log(`${users} personnes et ${tickets} tickets inventés.`);
} finally {
  await embedded?.stop();
}
