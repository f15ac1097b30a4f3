import { auditLimits } from '#server/process/limits.ts';
import type { AuditEntry } from './store.ts';

/**
 * Lists the first of equal calls, and counts the others: what somebody repeats a thousand times stands in the log in two
 * rows, its first and, at the end of the period, how often it came again. Beyond so many different ones in a period, the
 * address is no longer told apart, so that nobody fills the log by varying what they send.
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
