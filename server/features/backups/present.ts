import type { BackupState } from '#contract/backups.ts';
import type { Backup } from './store.ts';

/** What administrators see of backups: the last good one, why a later one failed, and what is planned. */
export function presentBackups(
  { good, ended }: { good: Backup | undefined; ended: Backup | undefined },
  schedule: BackupState['schedule'],
): BackupState {
  return {
    last: good?.finishedAt ? { finishedAt: good.finishedAt.toISOString(), bytes: good.bytes ?? 0 } : null,
    failure:
      ended?.finishedAt && ended.failure
        ? { finishedAt: ended.finishedAt.toISOString(), sentence: ended.failure }
        : null,
    schedule,
  };
}
