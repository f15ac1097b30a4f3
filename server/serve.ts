import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { formatPhone } from '#contract/phone.ts';
import { findHome, makeDataFolder } from '#server/database/embedded/data-folder.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { type Environment, loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { stopLimits } from '#server/process/limits.ts';
import { createLog } from '#server/process/log.ts';
import { readOrMakeSecret } from '#server/process/secret-file.ts';
import { keepHeapTight } from '#server/process/tight-heap.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';
import { buildApp } from './app.ts';
import { backUpBySchedule, scheduleOf, shownSchedule } from './backup/scheduled-backup.ts';
import { assertDurable, type Connection, connect } from './database/connect.ts';
import { migrate } from './database/migrate.ts';
import { assertLimited } from './database/timeouts.ts';
import { asSentence, requireUsableServer } from './database/usable-server.ts';
import { consoleProvider, fileProvider } from './features/sms/provider.ts';
import { localImageStore } from './features/uploads/image-store.ts';
import { inventPassword } from './features/users/invent-password.ts';
import { hashPassword } from './features/users/password.ts';
import { createFirstAdministrator, hasAdministrator } from './features/users/store.ts';

/** What needs the database, and stops before it in the reverse order of starting. */
const stops: (() => Promise<unknown>)[] = [];
let stopDatabase = async (): Promise<void> => {};

async function start(): Promise<void> {
  keepHeapTight();
  // Whatever we were started with, nobody else may change what we make.
  process.umask(process.umask() | 0o022);
  loadEnvironmentFile();
  const environment = readEnvironment();
  const log = createLog(environment.LOG_LEVEL);
  const embedded = environment.DATABASE_URL ? undefined : await startEmbedded(environment);
  const config = embedded?.config ?? { connectionString: environment.DATABASE_URL };
  await prepareDatabase(config, environment.DATABASE_URL);
  const connection = connect(config, (error) => log.error({ err: error }, 'idle database connection broke'));
  stops.push(() => connection.close());
  await assertDurable(connection.pool);
  await assertLimited(connection.pool);
  await writeStarterData(connection.db);
  const credentials = await createAdministrator(connection, environment);

  const home = embedded?.home ?? findHome(makeDataFolder(environment.DATA_DIR));
  const smsFile = environment.SMS_FILE ?? path.join(home, 'sms.jsonl');
  const provider = environment.SMS_PROVIDER === 'file' ? fileProvider(smsFile) : consoleProvider(console.log);
  const imagesFolder = path.join(home, 'uploads');
  await mkdir(imagesFolder, { recursive: true });
  const images = localImageStore(imagesFolder);
  const schedule = scheduleOf(environment);
  const backup = schedule && {
    hour: schedule.hour,
    run: (signal: AbortSignal) => backUpBySchedule({ db: connection.db, config, images }, schedule, signal),
  };
  const worker = await startWorker({ ...connection, provider, images, log, backup });
  stops.push(() => worker.stop());

  const app = await buildApp({
    environment,
    log,
    images,
    imagesFolder,
    ...connection,
    schedule: schedule ? shownSchedule(schedule) : null,
    secret: environment.SESSION_SECRET ?? readOrMakeSecret(path.join(home, 'session-secret')),
  });
  stops.push(() => app.close());
  await app.listen({ port: environment.PORT, host: environment.HOST }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new CannotStart(
        `Le port ${environment.PORT} est déjà pris : arrêtez l'autre programme ou choisissez PORT.`,
      );
    throw new CannotStart(`Impossible d'écouter sur ${environment.HOST}:${environment.PORT} (${error.message}).`);
  });

  embedded?.keepUp(log, (cause) => {
    // It may have started each time, and not stayed: then nothing failed that could be told.
    const why = cause === undefined ? 'il ne reste pas en marche' : reason(cause);
    console.error(`PostgreSQL ne revient pas (${why}) : Guichet s'arrête.`);
    void stop(1);
  });
  const { port } = app.server.address() as { port: number };
  const host = environment.HOST === '127.0.0.1' || environment.HOST === '0.0.0.0' ? 'localhost' : environment.HOST;
  console.log(`Guichet est prêt : ${environment.PUBLIC_URL ?? `http://${host}:${port}`}`);
  if (credentials) console.log(credentials);
}

/** A server of somebody's own may be anything: what is wrong with it is told in a sentence. */
async function prepareDatabase(config: pg.ClientConfig, url: string | undefined): Promise<void> {
  if (url === undefined) return migrate(config);
  await requireUsableServer(url);
  await migrate(config).catch((cause: unknown) => {
    throw asSentence(cause, url);
  });
}

async function startEmbedded(environment: Environment): Promise<EmbeddedDatabase> {
  const embedded = await startEmbeddedDatabase(environment.DATA_DIR);
  stopDatabase = () => embedded.stop();
  return embedded;
}

/** The first start makes an administrator; a password it had to invent is told this once and stored nowhere. */
async function createAdministrator({ db }: Connection, environment: Environment): Promise<string | undefined> {
  if (await hasAdministrator(db)) return undefined;
  const password = environment.ADMIN_PASSWORD ?? inventPassword();
  if (!(await createFirstAdministrator(db, environment.ADMIN_PHONE, await hashPassword(password)))) return undefined;
  const shown = environment.ADMIN_PASSWORD ? 'celui de ADMIN_PASSWORD' : `${password} (affiché une seule fois)`;
  return `Administrateur : ${formatPhone(environment.ADMIN_PHONE)} · mot de passe : ${shown}`;
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0]) return reason(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

let stopping: Promise<void> | undefined;

/**
 * Lets requests under way finish, then stops everything; leaves with this code in under 10 s. Where something hangs, with
 * another code, and PostgreSQL is told to stop all the same.
 */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    setTimeout(() => process.exit(code || 1), stopLimits.wholeMs);
    const end = (each: () => Promise<unknown>) =>
      each().catch((error: unknown) => console.error(`Arrêt : ${reason(error)}`));
    const stopOthers = async () => {
      for (const each of stops.reverse()) await end(each);
      return code;
    };
    const left = await Promise.race([stopOthers(), pause(stopLimits.othersMs, code || 1)]);
    await end(stopDatabase);
    process.exit(left);
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

try {
  await start();
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  await stop(1);
}
