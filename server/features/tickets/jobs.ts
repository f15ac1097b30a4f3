import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { cronLimits } from '#server/database/limits.ts';
import { sql } from '#server/database/rows.ts';
import { tallyLimits } from './limits.ts';
import { foldTallies, listTopServices } from './tallies-store.ts';

export const foldTalliesJob = defineJob({
  name: 'fold_tallies',
  cron: { match: tallyLimits.foldCrontab, options: { backfillPeriod: 0 } },
  async run({ db }: { db: Db }) {
    while ((await foldTallies(db, tallyLimits.changesPerFold)) === tallyLimits.changesPerFold);
  },
});

/** The days over which demand is counted, and the number of ranked services. */
const demand = { days: 30, places: 50 };

/** Ranks the services by demand. */
export async function rankServices({ db }: { db: Db }): Promise<void> {
  const since = new Date(Date.now() - demand.days * 86_400_000);
  const asked = await listTopServices(db, { since, limit: demand.places });
  const ids = sql`${sql.param(asked.map(({ serviceId }) => serviceId))}::int[]`;
  await db.execute(sql`
    update services set demand = array_position(${ids}, id) where demand is distinct from array_position(${ids}, id)`);
}

export const rankServicesJob = defineJob({
  name: 'rank_services',
  cron: { match: '17 3 * * *', options: { backfillPeriod: cronLimits.dayMadeUpForMs } },
  run: rankServices,
});
