import { watchLimits } from '#server/process/watch-limits.ts';

export type Level = 'warning' | 'critical';

/**
 * How bad it is that a disk has so many bytes free of so many. What it was before it stays until there is some room above
 * the bound that made it so.
 */
export function diskLevel({ free, total }: { free: number; total: number }, before?: Level): Level | undefined {
  const { critical, warning, above } = watchLimits.disk;
  const isBelow = ({ share, bytes }: typeof critical | typeof warning, wasBelow: boolean) => {
    const room = wasBelow ? free / above : free;
    return room < share * total || room < bytes;
  };
  if (isBelow(critical, before === 'critical')) return 'critical';
  return isBelow(warning, before !== undefined) ? 'warning' : undefined;
}

/** How bad it is that a certificate ends then. */
export function certificateLevel(end: Date, now: Date): Level | undefined {
  const daysLeft = (end.getTime() - now.getTime()) / 86_400_000;
  if (daysLeft < watchLimits.certificateDays.critical) return 'critical';
  return daysLeft < watchLimits.certificateDays.warning ? 'warning' : undefined;
}
