import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { sql } from '#server/database/rows.ts';
import { cronLimits } from '#server/database/limits.ts';
import { tallyLimits } from './limits.ts';
import { foldTallies, listTopServices } from './tallies-store.ts';

export const foldTalliesJob = defineJob({
  name: 'fold_tallies',
  cron: { match: tallyLimits.foldCrontab, options: { backfillPeriod: 0 } },
  async run({ db }: { db: Db }) {
    while ((await foldTallies(db, tallyLimits.changesPerFold)) === tallyLimits.changesPerFold);
  },
});

/** Days over which it is counted which services are asked for most, and how many of them have a place. */
const demand = { days: 30, places: 50 };

/** Notes which services were asked for most. */
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
