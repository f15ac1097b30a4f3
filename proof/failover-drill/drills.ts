import { setTimeout as pause } from 'node:timers/promises';
import type { Order, People } from '../bench/people.ts';
import type { Cluster } from './cluster.ts';
import { startCalls, type TicketLoad } from './load.ts';
import { kill, type Machine } from './machines.ts';
import type { Product } from './product.ts';

export interface Scene {
  cluster: Cluster;
  product: Product;
  people: People;
  order: Order;
  /** Every ticket that was acknowledged. */
  acknowledged: number[];
}

export interface Row {
  drill: string;
  /** Leader before and after. */
  leader?: string;
  /** The longest time in which nobody got a ticket, and for which somebody waited for theirs. */
  'silence (s)'?: string;
  'longest wait (s)'?: string;
  tickets?: number;
  failed: string;
  holds: boolean;
}

/** Within which service is to be back. */
const promisedMs = 30_000;
const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const words = (counted: Record<string, number>) =>
  Object.entries(counted)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ') || 'none';

/** Something that happens to the leader's machine; what it answers ends its cause, once service is back. */
interface Blow {
  name: string;
  strike(leader: Machine, cluster: Cluster): Promise<() => void>;
}

const machineLost: Blow = {
  name: 'the machine: PostgreSQL, Patroni and etcd',
  async strike(leader) {
    await leader.crash();
    return () => leader.boot();
  },
};

const postgresKilled: Blow = {
  name: 'PostgreSQL alone',
  async strike(leader, cluster) {
    kill(cluster.postmaster(leader));
    return () => {};
  },
};

/** PostgreSQL lives on, and does not know that it has lost its office. */
const patroniKilled: Blow = {
  name: 'Patroni alone, and back when another one leads',
  async strike(leader, cluster) {
    await leader.kill('patroni');
    while ((await cluster.leader()).name === leader.name) await pause(250);
    return () => leader.release('patroni');
  },
};

export const leaderKills: readonly Blow[] = [
  machineLost,
  postgresKilled,
  machineLost,
  patroniKilled,
  machineLost,
  postgresKilled,
  machineLost,
  patroniKilled,
  machineLost,
  machineLost,
];

export const leaderCut: Blow = {
  name: 'its network cut',
  async strike(leader) {
    leader.cut();
    return () => leader.mend();
  },
};

export const etcdLost: Blow = {
  name: 'its etcd lost, for 15 s',
  async strike(leader) {
    await leader.kill('etcd');
    await pause(15_000);
    return () => leader.release('etcd');
  },
};

/** While tickets are filed. */
export async function strike(scene: Scene, load: TicketLoad, { name, strike: blow }: Blow): Promise<Row> {
  const { cluster } = scene;
  await cluster.untilTwice();
  await load.untilSteady();
  const before = await cluster.leader();
  const filed = load.filed.length;
  const refused = { ...load.refused };
  const faultsBefore = load.faults.length;
  const from = performance.now();
  const endCause = await blow(before, cluster);
  await load.untilSteady();
  endCause();
  const after = await cluster.leader();
  await cluster.untilTwice();
  await load.untilSteady();
  const { silence, wait } = load.since(from);
  const news = Object.entries(load.refused).map(([what, count]) => [what, count - (refused[what] ?? 0)] as const);
  const faults = load.faults.slice(faultsBefore).map(({ requestId }) => requestId);
  for (const line of scene.product.linesOf(faults)) console.error(line);
  return {
    drill: name,
    leader: `${before.name} → ${after.name}`,
    'silence (s)': seconds(silence),
    'longest wait (s)': seconds(wait),
    tickets: load.filed.length - filed,
    failed: words(Object.fromEntries(news.filter(([, count]) => count > 0))),
    holds: silence < promisedMs && faults.length === 0,
  };
}

/** Each process of the product in turn is told to stop and started again, while others call. */
export async function restartInTurn(scene: Scene, perSecond: number): Promise<Row> {
  const { product } = scene;
  const stop = startCalls({ url: product.url, ...scene }, perSecond);
  await pause(2_000);
  const codes: (number | null)[] = [];
  for (const index of product.ports.keys()) {
    codes.push(await product.end(index, 'SIGTERM'));
    product.launch(index);
    await product.untilReady(index);
    // Until the proxy has seen it too.
    await pause(3_000);
  }
  const calls = await stop();
  scene.acknowledged.push(...calls.tickets, ...calls.repeated);
  return {
    drill: `rolling restart of three processes under ${perSecond} requests/s`,
    tickets: calls.tickets.length,
    failed: `${words(calls.failed)} of ${calls.done}`,
    holds: Object.keys(calls.failed).length === 0 && codes.every((code) => code === 0),
  };
}

/** A process of the product is killed while others call; another one is started in its place. */
export async function killProcess(scene: Scene, perSecond: number): Promise<Row> {
  const { product } = scene;
  const stop = startCalls({ url: product.url, ...scene }, perSecond);
  await pause(2_000);
  await product.end(0, 'SIGKILL');
  await pause(2_000);
  product.launch(0);
  await product.untilReady(0);
  await pause(3_000);
  const calls = await stop();
  scene.acknowledged.push(...calls.tickets, ...calls.repeated);
  const failed = Object.values(calls.failed).reduce((sum, count) => sum + count, 0);
  return {
    drill: `a process of the product killed under ${perSecond} requests/s`,
    tickets: calls.tickets.length,
    failed: `${words(calls.failed)} of ${calls.done}; ${calls.repeated.length} tickets by sending the same key again`,
    // In flight on it, in the moment between its end and the proxy's hearing of it.
    holds: failed < perSecond / 4,
  };
}
