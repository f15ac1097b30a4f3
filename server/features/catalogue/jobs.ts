import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { sql } from '#server/database/rows.ts';
import { listTopServices } from '#server/features/tallies/store.ts';
import { jobLimits } from '#server/process/limits.ts';

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
  cron: { match: '17 3 * * *', options: { backfillPeriod: jobLimits.dayMadeUpForMs } },
  run: rankServices,
});
