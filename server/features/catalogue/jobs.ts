import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { sql } from '#server/database/rows.ts';
import { listTopServices } from '#server/features/tallies/store.ts';
import { catalogueLimits } from '#server/process/limits.ts';

/** Notes which services were asked for most. */
export async function rankServices({ db }: { db: Db }): Promise<void> {
  const since = new Date(Date.now() - catalogueLimits.demandMs);
  const asked = await listTopServices(db, { since, limit: catalogueLimits.demandAtMost });
  const ids = sql`${sql.param(asked.map(({ serviceId }) => serviceId))}::int[]`;
  await db.execute(sql`
    update services set demand = array_position(${ids}, id) where demand is distinct from array_position(${ids}, id)`);
}

export const rankServicesJob = defineJob({
  name: 'rank_services',
  cron: { match: catalogueLimits.demandCrontab, options: { backfillPeriod: 0 } },
  run: rankServices,
});
