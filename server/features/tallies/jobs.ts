import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { tallyLimits } from '#server/process/limits.ts';
import { foldTallies } from './store.ts';

export const foldTalliesJob = defineJob({
  name: 'fold_tallies',
  cron: { match: tallyLimits.foldCrontab, options: { backfillPeriod: 0 } },
  async run({ db }: { db: Db }) {
    while ((await foldTallies(db, tallyLimits.changesPerFold)) === tallyLimits.changesPerFold);
  },
});
