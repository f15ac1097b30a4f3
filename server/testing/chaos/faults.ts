import { feedName } from '#server/cache/change-feed.ts';
import { PrimaryOnlyClient } from '#server/database/clients.ts';
import { type Fixture, processes } from './fixture.ts';
import { signal } from './postgres-to-break.ts';

/** What can happen to the product while it serves. */
export const faults = [
  /** The feed's connections are ended. */
  'feeds ended',
  /** The feed's connections answer no more, and do again. */
  'feeds hang',
  /** All connections are ended. */
  'connections ended',
  /** A process is killed, and started again. */
  'process killed',
  /** A process stands still for a while, as on a machine that is asleep. */
  'process stopped',
  /** One of PostgreSQL's processes is killed: it ends all others and recovers, by itself. */
  'crash',
  /** PostgreSQL is killed, is away for a while, and recovers. */
  'PostgreSQL killed',
  /** PostgreSQL is stopped cleanly and started again. */
  'PostgreSQL restarted',
] as const;
export type Fault = (typeof faults)[number];

interface Strike {
  /** Resolves when each of these processes was asked, and answered, for longer than an answer may be old. */
  untilAsked(processes: readonly number[]): Promise<void>;
  /** A process of the product, by chance. */
  one: number;
}

/** Does it, and resolves when its cause has ended. */
export async function inject(blow: Fault, world: Fixture, { untilAsked, one }: Strike): Promise<void> {
  const all = Array.from({ length: processes }, (_, index) => index);
  const { postgres, servers } = world;
  const isFeed = `(application_name = '${feedName}' or query like '%pg_visible_in_snapshot%')`;
  switch (blow) {
    case 'feeds ended':
      await askBackends(world, `select pg_terminate_backend(pid) from (${backends(isFeed)}) feeds`);
      return;
    case 'connections ended':
      await askBackends(world, `select pg_terminate_backend(pid) from (${backends('true')}) every`);
      return;
    case 'crash': {
      const [pid = 0] = await askBackends(world, backends('true'));
      signal(pid, 'SIGKILL');
      return;
    }
    case 'feeds hang': {
      const pids = await askBackends(world, backends(isFeed));
      for (const pid of pids) signal(pid, 'SIGSTOP');
      await untilAsked(all).finally(() => {
        for (const pid of pids) signal(pid, 'SIGCONT');
      });
      return;
    }
    case 'process killed':
      await servers[one]?.end('SIGKILL');
      await world.restart(one);
      return;
    case 'process stopped': {
      const pid = servers[one]?.pid ?? 0;
      signal(pid, 'SIGSTOP');
      await untilAsked(all.filter((each) => each !== one)).finally(() => signal(pid, 'SIGCONT'));
      return;
    }
    case 'PostgreSQL killed':
      postgres.kill();
      await untilAsked(all);
      await postgres.start();
      return;
    case 'PostgreSQL restarted':
      await postgres.stop();
      await postgres.start();
      return;
  }
}

/** Of the application's database, but the one that asks. */
const backends = (which: string) =>
  `select pid from pg_stat_activity
   where datname = 'guichet' and backend_type = 'client backend' and pid <> pg_backend_pid() and ${which}`;

async function askBackends({ postgres }: Fixture, sql: string): Promise<number[]> {
  const client = new PrimaryOnlyClient(postgres.superuser);
  await client.connect();
  return (await client.query<{ pid: number }>(sql).finally(() => client.end())).rows.map(({ pid }) => pid);
}
