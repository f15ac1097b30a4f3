import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { outageLimits } from '#server/process/outage-limits.ts';

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
    any.then(() => pause(outageLimits.otherHostsMs, undefined, { ref: false })).catch(() => all),
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
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: outageLimits.hostMs,
    query_timeout: outageLimits.hostMs,
    application_name: 'guichet looks',
  });
  client.on('error', () => {});
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
