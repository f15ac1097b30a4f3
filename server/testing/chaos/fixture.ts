import { createHash, randomBytes } from 'node:crypto';
import { type Connection, connect, sqlState } from '#server/database/connect.ts';
import { createSession } from '#server/features/sessions/store.ts';
import type { UserRow } from '#server/features/users/store.ts';
import type { users } from '#server/features/users/tables.ts';
import { buildFinalService, buildPaymentType, buildUser } from '#server/testing/builders.ts';
import { type Pooler, startPooler } from '#server/testing/pooler.ts';
import { createDataFolder, findFreePort, type ServerProcess, startServer } from '#server/testing/server-process.ts';
import { type PostgresToBreak, startPostgresToBreak } from './postgres-to-break.ts';

/** How many processes of the product there are. */
export const processes = 3;
/** How many notifications a person has to read: more than a run reads. */
export const unread = 20_000;

export interface Person extends UserRow {
  cookie: string;
}

/** The product on three processes, with whom and what they are asked about. */
export interface Fixture {
  postgres: PostgresToBreak;
  isPooled: boolean;
  ports: number[];
  servers: ServerProcess[];
  /** Starts a process anew that has ended. */
  restart(index: number): Promise<void>;
  /** Writes by hand, until it is acknowledged. */
  byHand(sql: string, values?: unknown[]): Promise<void>;
  /** Does something while nobody can read these tables. */
  whileLocked<T>(tables: string[], work: () => Promise<T>): Promise<T>;
  /** Somebody with a session, signed in nowhere yet. */
  createPerson(fields: Partial<typeof users.$inferInsert>): Promise<Person>;
  admin: Person;
  person: Person;
  /** Of the service that is ordered. */
  servicePath: { id: number }[];
  /** Of the service whose price changes. */
  pricedPath: { id: number }[];
  paymentTypeName: string;
  /** The person's, in the order in which they are read. */
  notifications: number[];
  stop(): Promise<void>;
}

export async function startFixture({ isPooled }: { isPooled: boolean }): Promise<Fixture> {
  const postgres = await startPostgresToBreak();
  const { host, port, user, password } = postgres.config;
  const secret = encodeURIComponent(String(password));
  let pooler: Pooler | undefined;
  let url = `postgres://${user}:${secret}@localhost:${port}/${user}?host=${encodeURIComponent(String(host))}`;
  if (isPooled) {
    pooler = await startPooler(postgres.config);
    url = `postgres://${user}:${secret}@127.0.0.1:${pooler.port}/${user}`;
  }
  const settings = {
    DATABASE_URL: url,
    RATE_LIMITS: 'off',
    SESSION_SECRET: 'un secret partagé, assez long pour cela',
    ADMIN_PASSWORD: 'un-mot-de-passe-de-test',
    LOG_LEVEL: 'fatal',
  };
  const folders = Array.from({ length: processes }, createDataFolder);
  const ports: number[] = [];
  for (const _ of folders) ports.push(await findFreePort());
  const start = (index: number) => startServer(folders[index] ?? '', { ...settings, PORT: String(ports[index]) });
  const servers = await Promise.all(folders.map((_, index) => start(index))).catch(async (error: unknown) => {
    await pooler?.stop();
    throw error;
  });
  const hand: Connection = connect(postgres.config, () => {});

  async function createPerson(fields: Partial<typeof users.$inferInsert>): Promise<Person> {
    const created = await buildUser(hand.db, fields);
    const id = randomBytes(32).toString('base64url');
    const sid = createHash('sha256').update(id).digest('hex');
    await createSession(hand.db, { sid, previous: undefined, user: created });
    return { ...created, cookie: `guichet_session=${id}` };
  }
  const admin = await createPerson({ isAdmin: true });
  const person = await createPerson({});
  const servicePath = (await buildFinalService(hand.db)).map(({ id }) => ({ id }));
  const pricedPath = await buildFinalService(hand.db);
  const paymentTypeName = 'Portefeuille';
  await buildPaymentType(hand.db, paymentTypeName);
  const { rows } = await hand.pool.query<{ id: number }>(
    `insert into notifications (user_id, title, message) select $1, 'Titre', 'Texte' from generate_series(1, ${unread})
     returning id`,
    [person.id],
  );
  return {
    postgres,
    isPooled,
    ports,
    servers,
    async restart(index) {
      servers[index] = await start(index);
    },
    async byHand(sql, values) {
      for (;;)
        try {
          await hand.pool.query(sql, values);
          return;
        } catch (error) {
          // A mistake of ours; else PostgreSQL is away, and whether it was done or not, it may be done again.
          if (/^(?:22|23|42)/.test(sqlState(error) ?? '')) throw error;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
    },
    async whileLocked(tables, work) {
      const client = await hand.pool.connect();
      try {
        await client.query('begin');
        await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
        return await work();
      } finally {
        // Closed, it is locked no longer.
        client.release(true);
      }
    },
    createPerson,
    admin,
    person,
    servicePath,
    pricedPath,
    paymentTypeName,
    notifications: rows.map(({ id }) => id),
    async stop() {
      await Promise.all(servers.map((each) => each.end('SIGTERM')));
      await pooler?.stop();
      await hand.close();
    },
  };
}
