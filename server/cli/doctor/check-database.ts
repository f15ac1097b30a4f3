import { assertDurable } from '#server/database/connect.ts';
import { readMigrationState } from '#server/database/migration-state.ts';
import { doctorLimits } from '#server/process/doctor-limits.ts';
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
      is: 'Les tables sont celles d’une version plus ancienne.',
      mend: 'Redémarrez Guichet : il les met à jour.',
    };
  if (state === 'ahead')
    return {
      is: 'Les tables sont celles d’une version plus récente que ce dossier.',
      mend: 'Lancez la version qui les a faites, ou restaurez une sauvegarde dans une base vide.',
    };
  return { is: 'Les tables sont celles de cette version.' };
}

export async function lookAtClock(pool: Pool): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  const off = (rows[0]?.now ?? 0) - (asked + Date.now()) / 2;
  if (Math.abs(off) <= doctorLimits.clockMs)
    return { is: 'L’horloge de la base et celle de cette machine concordent.' };
  return {
    is: `L’horloge de la base ${off > 0 ? 'avance' : 'retarde'} de ${Math.round(Math.abs(off) / 1_000)} s sur celle de cette machine.`,
    mend: 'Mettez les deux machines à l’heure : timedatectl set-ntp true.',
  };
}
