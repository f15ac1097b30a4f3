import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { deleteExpiredCounters } from '#server/database/store.ts';
import { deleteExpiredGuests, deleteNeverVerified } from '#server/features/accounts/store.ts';
import { deleteOldAuditEntries } from '#server/features/audit/store.ts';
import { deleteExpiredSessions } from '#server/features/entry/sessions-store.ts';
import { deleteExpiredFlows, deleteExpiredTokens, forgetOldClaims } from '#server/features/entry/store.ts';
import { purgeMessageTexts } from '#server/features/payments/intake/store.ts';
import { deleteExpiredSms, expireSms } from '#server/features/sms/store.ts';
import { deleteUnusedImages } from '#server/features/uploads/store.ts';
import { imageColumns } from '#server/image-columns.ts';
import { jobLimits } from './limits.ts';

const batches = [
  deleteExpiredSessions,
  deleteExpiredGuests,
  deleteNeverVerified,
  deleteExpiredFlows,
  forgetOldClaims,
  deleteExpiredTokens,
  expireSms,
  deleteExpiredSms,
  deleteExpiredCounters,
  purgeMessageTexts,
  deleteOldAuditEntries,
  (db: Db) => deleteUnusedImages(db, imageColumns),
];

/**
 * Deletes expired rows in batches, one kind after another, since deleting a guest also deletes sessions. A failure does not stop the next
 * kind.
 */
export async function cleanUp({ db }: { db: Db }): Promise<void> {
  const failures: unknown[] = [];
  for (const clean of batches)
    try {
      while ((await clean(db, jobLimits.rowsPerDeletion)) === jobLimits.rowsPerDeletion);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

export const cleanUpJob = defineJob({
  name: 'clean_up',
  cron: { match: jobLimits.cleanUpCrontab, options: { backfillPeriod: 0 } },
  run: cleanUp,
});
