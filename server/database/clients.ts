import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addressesOf } from '#server/process/database-url.ts';
import { databaseLimits } from '#server/process/limits.ts';

/**
 * A connection to the one of several servers that takes writes when it is opened. node-postgres itself knows one server.
 * A connection that breaks fails the statement under way, or else the next one, and never ends the process by an event that
 * nobody hears.
 */
export class PrimaryOnlyClient extends pg.Client {
  readonly #addresses: readonly string[];

  constructor(config: pg.ClientConfig = {}) {
    const addresses = config.connectionString === undefined ? [] : addressesOf(config.connectionString);
    super(addresses.length > 1 ? { ...config, connectionString: addresses[0] } : config);
    this.#addresses = addresses;
    this.on('error', () => {});
  }

  /** With a callback, or answering a promise, as the driver's own. */
  override connect(given?: (...outcome: never[]) => void): never {
    const callback = given as ((error: Error | null) => void) | undefined;
    const connect = super.connect as unknown as (callback?: (error: Error | null) => void) => Promise<unknown>;
    if (this.#addresses.length < 2) return connect.call(this, callback) as never;
    const connected = this.#turn().then(() => connect.call(this));
    if (callback === undefined) return connected as never;
    connected.then(
      () => callback(null),
      (error: Error) => callback(error),
    );
    return undefined as never;
  }

  async #turn(): Promise<void> {
    const { host, port } = new pg.Client({ connectionString: await findWritable(this.#addresses) });
    Object.assign(this, { host, port });
  }
}

/**
 * A connection that knows whether the server keeps what was prepared on it: then the names that libraries and our own
 * statements give stay on them, else they are taken off. A pooler may give each transaction another server, which knows
 * nothing of what was prepared on the last one.
 */
export class PreparedClient extends PrimaryOnlyClient {
  #keepsNames = false;

  /** Learns which process of PostgreSQL answers: only a pooler invents another BackendKeyData for a connection. */
  noteServer(pid: number | undefined): void {
    this.#keepsNames = pid !== undefined && 'processID' in this && this.processID === pid;
  }

  /** Whether one process of PostgreSQL answers all along, so that it knows of what was set, named or listened to before. */
  get isDirect(): boolean {
    return this.#keepsNames;
  }

  override query(...given: unknown[]): never {
    const [query, ...rest] = given;
    const named = typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
    const ask = super.query as (...args: unknown[]) => never;
    return ask.call(this, named && !this.#keepsNames ? { ...query, name: undefined } : query, ...rest);
  }

  /** Sends what `ask` asks for in one write, and waits for none of it. */
  inOneWrite<Asked>(ask: () => Asked): Asked {
    const { stream } = this.connection;
    stream.cork();
    try {
      return ask();
    } finally {
      stream.uncork();
    }
  }
}

interface Found {
  address: string;
  /** Of the server's history: it rises each time another server takes the lead. Empty where a server does not tell. */
  timeline: string;
}

/**
 * Which of these servers takes writes: the address of one, the first of them in their order. All are asked at once. A leader
 * that lost its office may not know it yet, so of two the one with the newer history is right. Throws SQLSTATE 25006 when none
 * takes writes, and why the first one did not answer when none did.
 */
export async function findWritable(addresses: readonly string[]): Promise<string> {
  const found: Found[] = [];
  const asking = addresses.map(async (address) => {
    const one = await ask(address);
    if (one) found.push(one);
    return one;
  });
  const all = Promise.allSettled(asking);
  const any = Promise.any(asking.map(async (one) => (await one) ?? Promise.reject(new Error('read-only'))));
  await Promise.race([
    all,
    any.then(() => pause(databaseLimits.otherHostsMs, undefined, { ref: false })).catch(() => all),
  ]);
  const newest = found
    .map(({ timeline }) => timeline)
    .sort()
    .at(-1);
  const right = addresses.find((address) => found.some((one) => one.address === address && one.timeline === newest));
  if (right !== undefined) return right;
  const answers = await all;
  const [failure] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (answers.every(({ status }) => status === 'rejected')) throw failure;
  throw Object.assign(new Error('none of the servers takes writes'), { code: '25006', cause: failure });
}

/** `undefined` of a server that takes no writes. */
async function ask(address: string): Promise<Found | undefined> {
  const client = new PrimaryOnlyClient({
    connectionString: address,
    connectionTimeoutMillis: databaseLimits.hostMs,
    query_timeout: databaseLimits.hostMs,
    application_name: 'guichet looks',
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off') return undefined;
    return { address, timeline: await readTimeline(client) };
  } finally {
    client.end().catch(() => {});
  }
}

/** A file of the log is named after its timeline, in eight hexadecimal digits. Engines that only speak the protocol have none. */
async function readTimeline(client: pg.Client): Promise<string> {
  const asked = client.query<{ file: string }>('select pg_walfile_name(pg_current_wal_lsn()) as file');
  return asked.then(
    ({ rows }) => rows[0]?.file.slice(0, 8) ?? '',
    () => '',
  );
}
