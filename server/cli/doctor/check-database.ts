import os from 'node:os';
import { assertDurable } from '#server/database/connect.ts';
import { readMigrationState } from '#server/database/migration-list.ts';
import { conditions } from '#server/features/alarms/conditions.ts';
import { type Check, type Finding, reasonOf } from './finding.ts';

export const checkDatabase: Check = {
  title: 'Base de données',
  async look({ pool }) {
    if (!pool) return [];
    const { rows } = await pool.query<{ release: string; bytes: number; now: number; before: number }>(
      `select current_setting('server_version') as release, pg_database_size(current_database())::float8 as bytes,
              extract(epoch from clock_timestamp())::float8 * 1000 as now`,
    );
    const [server] = rows;
    const megabytes = Math.ceil((server?.bytes ?? 0) / 1_000_000);
    return [
      { is: `PostgreSQL ${server?.release} répond ; la base occupe ${megabytes} Mo.` },
      await lookAtDurability(pool),
      await lookAtMigrations(pool),
      await lookAtClock(pool),
      ...(await lookAtIndexes(pool)),
      ...(await lookAtTriggers(pool)),
    ];
  },
};

type Pool = Parameters<typeof assertDurable>[0];

async function lookAtDurability(pool: Pool): Promise<Finding> {
  try {
    await assertDurable(pool);
    return { is: 'Ce qui est confirmé est sur le disque (fsync, full_page_writes, synchronous_commit).' };
  } catch (error) {
    return {
      is: reasonOf(error),
      mend: 'Remettez ces réglages à « on » dans postgresql.conf, ou par « alter system », puis rechargez PostgreSQL.',
    };
  }
}

async function lookAtMigrations(pool: Pool): Promise<Finding> {
  const state = await readMigrationState(pool);
  if (state === 'behind')
    return {
      is: "Les tables sont celles d'une version plus ancienne.",
      mend: 'Redémarrez Guichet : il les met à jour.',
    };
  if (state === 'ahead')
    return {
      is: "Les tables sont celles d'une version plus récente que ce dossier.",
      mend: 'Lancez la version qui les a faites, ou restaurez une sauvegarde dans une base vide.',
    };
  return { is: 'Les tables sont celles de cette version.' };
}

/** Indexes that PostgreSQL does not read, but for those that are being built now. */
async function lookAtIndexes(pool: Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class c on c.oid = indrelid
     where c.relnamespace = 'public'::regnamespace and not indisvalid
       and indexrelid not in (select index_relid from pg_stat_progress_create_index) order by 1`,
  );
  return rows.map(({ name }) => ({
    is: `L'index ${name} est invalide : PostgreSQL ne s'en sert pas.`,
    mend: `reindex index concurrently ${name}; par psql.`,
  }));
}

/** Disabled triggers: the change feed and the counts on the dashboard come from them. */
async function lookAtTriggers(pool: Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    `select tgrelid::regclass::text as name, count(*)::int as count from pg_trigger join pg_class c on c.oid = tgrelid
     where c.relnamespace = 'public'::regnamespace and tgenabled not in ('O', 'A') group by 1 order by 1`,
  );
  return rows.map(({ name, count }) => ({
    is: `${count} déclencheur${count > 1 ? 's' : ''} de la table ${name} ne se déclenche${count > 1 ? 'nt' : ''} pas : les écrans ne voient plus ce qui y change, et les comptes sont faux.`,
    mend: `alter table ${name} enable trigger all; delete from online_steps where name like 'tallies%'; par psql, puis redémarrez Guichet.`,
  }));
}

export async function lookAtClock(pool: Pool): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  const off = (rows[0]?.now ?? 0) - (asked + Date.now()) / 2;
  if (!conditions.clock.level({ apartMs: off, host: os.hostname() }))
    return { is: "L'horloge de la base et celle de cette machine concordent." };
  return {
    is: `L'horloge de la base ${off > 0 ? 'avance' : 'retarde'} de ${Math.round(Math.abs(off) / 1_000)} s sur celle de cette machine.`,
    mend: "Mettez les deux machines à l'heure : timedatectl set-ntp true.",
  };
}
