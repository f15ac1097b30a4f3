import path from 'node:path';
import type pg from 'pg';
import { formatPhone } from '#contract/phone.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { databaseLimits } from '#server/database/limits.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { type Environment, loadEnvironmentFile, readEnvironment } from '#server/process/environment.ts';
import { requireFolder } from '#server/process/folders.ts';
import { createLog } from '#server/process/log.ts';
import { readOrMakeSecret, secretFile } from '#server/process/secret-file.ts';
import { openShutdown, type Shutdown } from '#server/process/shutdown.ts';
import { tuneGarbageCollector } from '#server/process/tune-garbage-collector.ts';
import { writeStarterData } from '#server/starter/write-starter-data.ts';
import { buildApp } from './app.ts';
import { assertDurable, type Connection, connect } from './database/connect.ts';
import { migrate } from './database/migrate.ts';
import { isOtherSecret, openProductKeys, otherSecret, rememberSecret } from './database/product-keys.ts';
import { assertLimited } from './database/timeouts.ts';
import { asSentence, requireUsableServer } from './database/usable-server.ts';
import { watchedBy } from './features/alarms/conditions.ts';
import { openAlarmMonitor } from './features/alarms/monitor.ts';
import { backUpBySchedule } from './features/backup/scheduled-backup.ts';
import { openRoute } from './features/sms/gateways/open-route.ts';
import { hashPassword, inventPassword } from './features/users/password.ts';
import { hasAdministrator, insertAdministrator, unnamed } from './features/users/store.ts';
import { connectionsAllowed } from './http/connections.ts';
import type { Metrics } from './http/metrics.ts';
import { serveMetrics } from './http/serve-metrics.ts';

async function start(shutdown: Shutdown): Promise<void> {
  tuneGarbageCollector();
  // Whatever we were started with, nobody else may change what we make.
  process.umask(process.umask() | 0o022);
  loadEnvironmentFile();
  const environment = readEnvironment();
  if (environment.BACKUP_DIR) requireFolder('BACKUP_DIR', environment.BACKUP_DIR);
  const log = createLog(environment.LOG_LEVEL);
  // Thrown where nothing waits for it, or a rejection that nothing caught. The state is unknown: stop.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error: the process stops');
    void shutdown.stop(1);
  });
  const connections = connectionsAllowed();
  const embedded = environment.DATABASE_URL ? undefined : await startEmbedded(environment, shutdown);
  const config = embedded?.config ?? { connectionString: environment.DATABASE_URL };
  await prepareDatabase(config, environment.DATABASE_URL);
  const connection = await openConnection(config, log, shutdown);
  const credentials = await createAdministrator(connection, environment);

  const home = embedded?.home ?? findHome(requireFolder('DATA_DIR', environment.DATA_DIR));
  const secret = environment.SESSION_SECRET ?? readOrMakeSecret(secretFile(home));
  if (await isOtherSecret(connection.db, secret)) console.error(otherSecret);
  await rememberSecret(connection.db, secret);
  const keys = await openProductKeys(connection.db);
  const sms = openRoute(environment, { file: path.join(home, 'sms.jsonl'), print: console.log });
  const metrics = await openMetrics(environment, shutdown);
  const worker = await startWorker({
    ...connection,
    sms,
    log,
    publicUrl: environment.PUBLIC_URL,
    onOutcome: metrics?.countSms,
    backup: dailyBackup({ db: connection.db, config }, environment),
  });
  shutdown.add(() => worker.stop());
  const alarmMonitor = openAlarmMonitor({
    watched: { ...connection, ...watchedBy(environment, home) },
    webhook: webhookOf(environment),
    publicUrl: environment.PUBLIC_URL,
    log,
  });
  alarmMonitor.start();
  shutdown.add(() => alarmMonitor.stop());

  const { signal: stopping } = shutdown;
  const app = await buildApp({ ...connection, environment, log, metrics, connections, stopping, secret, keys });
  shutdown.add(() => app.close());
  const address = await listen(app, environment);
  embedded?.keepUp(log, (cause) => {
    // It may have started each time, and not stayed: then nothing failed that could be told.
    const why = cause === undefined ? 'il ne reste pas en marche' : reason(cause);
    console.error(`PostgreSQL ne revient pas (${why.replace(/\.$/, '')}) : Guichet s'arrête.`);
    void shutdown.stop(1);
  });
  shutdown.delay(environment.STOP_DELAY_SECONDS);
  console.log(`Guichet est prêt : ${environment.PUBLIC_URL ?? address}`);
  if (credentials) console.log(credentials);
}

/** Connections of an application, none before the server is known to keep what it confirms, and to end what takes too long. */
async function openConnection(
  config: pg.ClientConfig,
  log: ReturnType<typeof createLog>,
  shutdown: Shutdown,
): Promise<Connection> {
  const connection = connect(
    config,
    (error) => log.error({ err: error }, 'idle database connection broke'),
    databaseLimits,
  );
  shutdown.add(() => connection.close());
  await assertDurable(connection.pool);
  await assertLimited(connection.pool);
  return connection;
}

const webhookOf = ({ ALARM_WEBHOOK: url, ALARM_WEBHOOK_SECRET: secret }: Environment) =>
  url ? { url, secret } : undefined;

/** The worker's daily backup, if the settings name a folder for it. */
function dailyBackup(
  from: Parameters<typeof backUpBySchedule>[0],
  { BACKUP_DIR: folder, BACKUP_KEEP: keep, BACKUP_PASSPHRASE: passphrase, BACKUP_HOUR: hour }: Environment,
) {
  if (folder === undefined) return undefined;
  return { hour, run: (signal: AbortSignal) => backUpBySchedule(from, { folder, keep, passphrase }, signal) };
}

/** Listens, and returns an address for a browser on this machine. */
async function listen(app: Awaited<ReturnType<typeof buildApp>>, { PORT, HOST }: Environment): Promise<string> {
  await app.listen({ port: PORT, host: HOST }).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EADDRINUSE')
      throw new CannotStart(`Le port ${PORT} est déjà pris : arrêtez l'autre programme ou choisissez PORT.`);
    throw new CannotStart(`Impossible d'écouter sur ${HOST}:${PORT} (${message}).`);
  });
  const { port } = app.server.address() as { port: number };
  return `http://${HOST === '127.0.0.1' || HOST === '0.0.0.0' ? 'localhost' : HOST}:${port}`;
}

/** The metrics and their port, where there is one: who asks for none loads nothing for them. */
async function openMetrics(
  { METRICS_PORT: port, METRICS_HOST: host }: Environment,
  shutdown: Shutdown,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const { createMetrics } = await import('./http/metrics.ts');
  const metrics = createMetrics();
  const server = await serveMetrics(metrics, { port, host });
  shutdown.add(() => server.close());
  return metrics;
}

/** A server of somebody's own may be anything: what is wrong with it is told in a sentence. */
async function prepareDatabase(config: pg.ClientConfig, url: string | undefined): Promise<void> {
  if (url === undefined) await migrate(config);
  else {
    await requireUsableServer(url);
    await migrate(config).catch((cause: unknown) => {
      throw asSentence(cause, url);
    });
  }
  // Of several processes at once all but one wait for that, longer than anybody waits for an answer later.
  const withoutTimeouts = connect(config, () => {});
  await writeStarterData(withoutTimeouts.db).finally(() => withoutTimeouts.close());
}

async function startEmbedded({ DATA_DIR }: Environment, shutdown: Shutdown): Promise<EmbeddedDatabase> {
  const embedded = await startEmbeddedDatabase(DATA_DIR);
  shutdown.addDatabase(() => embedded.stop());
  return embedded;
}

/** The first start makes an administrator; a password it had to invent is told this once and stored nowhere. */
async function createAdministrator({ db }: Connection, environment: Environment): Promise<string | undefined> {
  if (await hasAdministrator(db)) return undefined;
  const password = environment.ADMIN_PASSWORD ?? inventPassword();
  const account = { ...unnamed, phone: environment.ADMIN_PHONE, password: await hashPassword(password) };
  // Another process may have made it meanwhile.
  if (!(await insertAdministrator(db, account))) return undefined;
  const shown = environment.ADMIN_PASSWORD ? 'celui de ADMIN_PASSWORD' : `${password} (affiché une seule fois)`;
  return `Administrateur : ${formatPhone(environment.ADMIN_PHONE)} · mot de passe : ${shown}`;
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0]) return reason(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

const shutdown = openShutdown((error) => console.error(`Arrêt : ${reason(error)}`));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutdown.stop(0));

try {
  await start(shutdown);
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  await shutdown.stop(1);
}
