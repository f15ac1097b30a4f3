import { auditLimits } from '#server/process/limits.ts';
import type { AuditEntry } from './store.ts';

/**
 * Lists the first of equal calls and counts the others. A call that is repeated a thousand times has two rows in the log:
 * the first, and its count at the end of the period. Beyond a number of different calls in a period, rows no longer differ
 * by address, so that varied calls cannot fill the log.
 */
export function countRepeats(insert: (entry: AuditEntry) => Promise<void>) {
  let seen = new Map<string, { entry: AuditEntry; again: number }>();

  return {
    /** Lists a call, or counts it if an equal one was listed in this period. */
    async record(entry: AuditEntry): Promise<void> {
      const full = seen.size >= auditLimits.listedPerPeriod;
      const listed = full && !seen.has(keyOf(entry)) ? { ...entry, target: null, details: {}, ip: '*' } : entry;
      const key = keyOf(listed);
      const known = seen.get(key);
      if (known) {
        known.again += 1;
        return;
      }
      seen.set(key, { entry: listed, again: 0 });
      await insert(listed);
    },
    /** Ends the period: writes how often each call came again. */
    async flush(): Promise<void> {
      const before = seen;
      seen = new Map();
      for (const { entry, again } of before.values()) if (again > 0) await insert({ ...entry, count: again });
    },
  };
}

const keyOf = ({ actorId, action, target, details, status, code, ip }: AuditEntry): string =>
  JSON.stringify([actorId, action, target, details, status, code, ip]);
