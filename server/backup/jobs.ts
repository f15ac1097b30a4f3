import { defineJob } from '#server/database/define-job.ts';
import { backupLimits } from '#server/process/backup-limits.ts';

/** When the day's backup is made, in hours of UTC, and how. */
export interface DailyBackup {
  hour: number;
  run(signal: AbortSignal): Promise<void>;
}

const name = 'back_up';

/** The job of a process that has a schedule; one that has none does not know it. */
export const backUpJob = ({ hour, run }: DailyBackup) =>
  defineJob({
    name,
    cron: {
      match: `0 ${hour} * * *`,
      // Of one key: yesterday's that never ended well does not run beside today's.
      options: { backfillPeriod: backupLimits.madeUpForMs, maxAttempts: backupLimits.attempts, jobKey: name },
    },
    run: ({ signal }: { signal: AbortSignal }) => run(signal),
  });
