import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { addPeople, readOrder } from '../bench/people.ts';
import { Ends } from '../bench/stage.ts';
import { accountOf, Cluster, password } from './cluster.ts';
import {
  etcdLost,
  killProcess,
  leaderCut,
  leaderKills,
  type Row,
  restartInTurn,
  type Scene,
  strike,
} from './drills.ts';
import { TicketLoad } from './load.ts';
import { layMachines } from './machines.ts';
import { Product, startDatabaseProxy } from './product.ts';

/**
 * `npm run drill:failover`: two PostgreSQL under Patroni with three etcd, three processes of the product behind Caddy, and all
 * that can happen to them, while tickets are filed. Prints the log's lines of every answer that is a 500, a table, and then a line
 * of JSON; ends with 1 when there was a 500, a ticket that was acknowledged is lost, or service was away for too long.
 */
const { values: given } = parseArgs({
  options: {
    /** The product finds the leader itself, without HAProxy. */
    direct: { type: 'boolean', default: false },
    /** Only blows with this word in their names. */
    only: { type: 'string', default: '' },
    kills: { type: 'string', default: String(leaderKills.length) },
    tickets: { type: 'string', default: '100' },
    keep: { type: 'boolean', default: false },
  },
});
const programs = '/usr/lib/postgresql/15/bin';
const needed = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/bin/caddy', `${programs}/postgres`];
const absent = needed.filter((program) => !existsSync(program));
if (absent.length > 0 || process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error(`The drill runs as root on Debian, with ${absent.join(', ') || 'network namespaces'}:`);
  console.error('apt-get install --no-install-recommends patroni etcd-server haproxy caddy postgresql-15 iproute2');
  process.exit(1);
}

const ends = new Ends();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void ends.all().finally(() => process.exit(128 + os.constants.signals[signal])));

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-drill-'));
  const { uid, gid } = accountOf('postgres');
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o755);
  if (given.keep) console.error(folder);
  else ends.add(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function setTheScene(folder: string): Promise<Scene & { database: string }> {
  const machines = layMachines(['a', 'b', 'c'], folder, ends);
  const cluster = new Cluster(machines, { folder, programs });
  const first = await cluster.leader();
  const admin = new pg.Client({ host: first.address, user: 'postgres', password, database: 'postgres' });
  await admin.connect();
  await admin.query(`create role guichet login password '${password}'`);
  await admin.query('create database guichet owner guichet');
  await admin.end();
  await cluster.untilTwice();

  const hosts = given.direct
    ? machines
        .slice(0, 2)
        .map(({ address }) => `${address}:5432`)
        .join()
    : `127.0.0.1:${await startDatabaseProxy(machines.slice(0, 2), folder, ends)}`;
  const database = `postgres://guichet:${password}@${hosts}/guichet${given.direct ? '?target_session_attrs=read-write' : ''}`;
  const product = await Product.start(database, { folder, ends });
  const pool = new pg.Pool({ host: first.address, user: 'postgres', password, database: 'guichet', max: 1 });
  const people = await addPeople(pool, { count: 60, busy: 0 });
  await pool.end();
  return { cluster, product, people, order: await readOrder(product.url), acknowledged: [], database };
}

/** What is stored, beside what was acknowledged: each ticket once, with its event. */
async function compare({ cluster, acknowledged }: Scene): Promise<{ lost: number; stored: number; twice: number }> {
  const { address } = await cluster.leader();
  const client = new pg.Client({ host: address, user: 'postgres', password, database: 'guichet' });
  await client.connect();
  const { rows } = await client.query<{ id: number }>(
    `select id from tickets t where (select count(*) from ticket_events where ticket_id = t.id) = 1`,
  );
  await client.end();
  const stored = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !stored.has(id)).length;
  return { lost, stored: rows.length, twice: rows.length - new Set(acknowledged).size };
}

async function run(): Promise<void> {
  const scene = await setTheScene(makeFolder());
  const rows: Row[] = [];
  const note = (row: Row) => {
    rows.push(row);
    console.error(JSON.stringify(row));
  };
  note(await restartInTurn(scene, 200));
  note(await killProcess(scene, 200));
  const load = new TicketLoad({ url: scene.product.url, ...scene }, Number(given.tickets));
  const blows = [
    ...leaderKills.slice(0, Number(given.kills)).map((each) => ({ ...each, name: `leader killed: ${each.name}` })),
    ...[etcdLost, leaderCut].map((each) => ({ ...each, name: `the leader's machine: ${each.name}` })),
  ];
  for (const blow of blows.filter(({ name }) => name.includes(given.only))) note(await strike(scene, load, blow));
  await load.stop();
  scene.acknowledged.push(...load.filed.map(({ id }) => id));
  const { lost, stored, twice } = await compare(scene);
  console.table(rows);
  console.log(
    `${scene.acknowledged.length} tickets acknowledged, ${lost} lost, ${stored} stored, ${twice} that nobody was told of.`,
  );
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname })
    .toString()
    .trim();
  console.log(JSON.stringify({ drill: 'failover', direct: given.direct, commit, lost, twice, rows }));
  if (lost > 0 || twice > 0 || rows.some(({ holds }) => !holds)) process.exitCode = 1;
}

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await ends.all();
}
