import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findWritable } from '../../server/database/clients.ts';
import { type Machine, ownAddress } from './machines.ts';

export const password = 'mot-de-passe-de-l-exercice';
/** Seconds until a leader that is not heard of loses its office: the least that Patroni takes. */
const leaderSeconds = 20;

interface Member {
  name: string;
  role: string;
  state: string;
}

/** PostgreSQL on the first two machines under Patroni, which asks etcd on all three who leads. */
export class Cluster {
  readonly machines: readonly Machine[];

  constructor(machines: readonly Machine[], { folder, programs }: { folder: string; programs: string }) {
    this.machines = machines;
    const everywhere = machines.map(({ name, address }) => `${name}=http://${address}:2380`).join();
    for (const machine of machines) {
      const own = ownFolder(folder, machine.name);
      machine.serve({ name: 'etcd', command: etcdOf(machine, { own, everywhere }) });
    }
    const registry = machines.map(({ address }) => `${address}:2379`);
    for (const machine of machines.slice(0, 2)) {
      const file = path.join(ownFolder(folder, machine.name), 'patroni.yml');
      const own = path.dirname(file);
      // JSON is YAML.
      writeFileSync(file, JSON.stringify(patroniOf(machine, { own, registry, programs }), undefined, 2));
      machine.serve({ name: 'patroni', command: ['patroni', file] });
    }
  }

  /**
   * The machine whose PostgreSQL takes writes, the one with the newest history where two do. Patroni is not asked: on a machine
   * that was cut off it may say for a while what was true before.
   */
  async leader(): Promise<Machine> {
    const machineOf = new Map(this.machines.slice(0, 2).map((each) => [addressOf(each), each]));
    for (;;) {
      const address = await findWritable([...machineOf.keys()]).catch(() => undefined);
      const machine = address === undefined ? undefined : machineOf.get(address);
      if (machine) return machine;
      await pause(100);
    }
  }

  /** What Patroni on the leader's machine says of them all; nothing where it does not answer. */
  async #members(): Promise<Member[]> {
    const { address } = await this.leader();
    try {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
      return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      return [];
    }
  }

  /** Until each commit is on two machines again. Throws when that takes longer than two minutes. */
  async untilTwice(): Promise<void> {
    for (const deadline = Date.now() + 120_000; Date.now() < deadline; await pause(250)) {
      const members = await this.#members();
      const isThere = (wanted: string) => members.some(({ role, state }) => role === wanted && state === 'running');
      if (isThere('leader') && isThere('sync_standby')) return;
    }
    throw new Error(`no copy of the leader: ${JSON.stringify(await this.#members())}`);
  }

  /** Of the PostgreSQL on that machine. */
  postmaster(machine: Machine): number {
    const [pid = ''] = readFileSync(path.join(machine.folder, machine.name, 'data/postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  }
}

/** As its superuser connects. */
const addressOf = ({ address }: Machine) => `postgres://postgres:${password}@${address}:5432/postgres`;

/** A folder that the account of PostgreSQL owns, as `folder` itself does. */
function ownFolder(folder: string, name: string): string {
  const own = path.join(folder, name);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const { uid, gid } = accountOf('postgres');
  chownSync(own, uid, gid);
  return own;
}

export function accountOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error(`there is no account ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}

function etcdOf({ name, address }: Machine, { own, everywhere }: { own: string; everywhere: string }): string[] {
  const settings = {
    name,
    'data-dir': path.join(own, 'etcd'),
    'listen-peer-urls': `http://${address}:2380`,
    'initial-advertise-peer-urls': `http://${address}:2380`,
    'listen-client-urls': `http://${address}:2379`,
    'advertise-client-urls': `http://${address}:2379`,
    'initial-cluster': everywhere,
    'initial-cluster-state': 'new',
    // One that comes back asks first whether anybody would vote for it, and does not have all the others elect anew.
    'pre-vote': 'true',
    'enable-v2': 'true',
    'log-level': 'warn',
  };
  return ['etcd', ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`)];
}

function patroniOf(
  { name, address }: Machine,
  { own, registry, programs }: { own: string; registry: string[]; programs: string },
) {
  return {
    scope: 'guichet',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // By its older interface. By the newer one (`etcd3`) Patroni 3.0 renews an office that it lost meanwhile: a leader that comes back
    // from a cut takes it from the one that was elected, and what that one acknowledged alone is thrown away.
    etcd: { hosts: registry },
    bootstrap: {
      dcs: {
        ttl: leaderSeconds,
        loop_wait: 5,
        retry_timeout: 5,
        // Who was not told of each commit is never made leader.
        synchronous_mode: true,
        // A leader that lost its copy goes on alone, so that one machine may be lost for days.
        synchronous_mode_strict: false,
        maximum_lag_on_failover: 1_048_576,
        // Without etcd the leader stays as long as it reaches all the others.
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 120,
            wal_log_hints: 'on',
            synchronous_commit: 'on',
            // By default a copy that went silent holds up each commit for a minute.
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        'local all all trust',
        `host replication replicator ${ownAddress}/24 scram-sha-256`,
        `host all all ${ownAddress}/24 scram-sha-256`,
      ],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: path.join(own, 'data'),
      bin_dir: programs,
      pgpass: path.join(own, 'pgpass'),
      parameters: { unix_socket_directories: own },
      // Else the first copy waits for the leader's next checkpoint, which takes its time on purpose.
      basebackup: [{ checkpoint: 'fast' }],
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewind', password },
      },
    },
  };
}
