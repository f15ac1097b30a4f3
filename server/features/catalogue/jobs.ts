import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { sql } from '#server/database/rows.ts';
import { catalogueLimits } from '#server/process/limits.ts';

/** Has the catalogue read again: what is asked for most changes with the requests, which do not announce it. */
export async function announceDemand({ db }: { db: Db }): Promise<void> {
  await db.execute(sql`insert into changes (topic) values ('services')`);
}

export const announceDemandJob = defineJob({
  name: 'announce_demand',
  cron: { match: catalogueLimits.demandCrontab, options: { backfillPeriod: 0 } },
  run: announceDemand,
});
