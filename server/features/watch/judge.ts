import { watchLimits } from '#server/process/watch-limits.ts';

export type Level = 'warning' | 'critical';

/** How bad it is that a disk has so many bytes free of so many. */
export function judgeDisk({ free, total }: { free: number; total: number }): Level | undefined {
  const isBelow = ({ share, bytes }: { share: number; bytes: number }) => free < share * total || free < bytes;
  if (isBelow(watchLimits.disk.critical)) return 'critical';
  return isBelow(watchLimits.disk.warning) ? 'warning' : undefined;
}

/** How bad it is that a certificate ends then. */
export function judgeCertificate(end: Date, now: Date): Level | undefined {
  const daysLeft = (end.getTime() - now.getTime()) / 86_400_000;
  if (daysLeft < watchLimits.certificateDays.critical) return 'critical';
  return daysLeft < watchLimits.certificateDays.warning ? 'warning' : undefined;
}
