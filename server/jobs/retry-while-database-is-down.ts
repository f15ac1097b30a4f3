import { setTimeout as pause } from 'node:timers/promises';
import { sqlState } from '#server/database/connect.ts';
import { jobLimits } from '#server/process/limits.ts';

/** What a statement is itself at fault for (SQLSTATE classes of data, constraints and names): it would fail again. */
const ownFault = /^(?:22|23|42)/;

/** Does work in the database, however often that is away meanwhile. */
export type Outlast = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Repeats work that may be done twice, until the database lets it. Throws its own fault, after `jobLimits.outageMs`, or
 * once aborted.
 */
export async function retryWhileDatabaseIsDown<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const givesUpAt = performance.now() + jobLimits.outageMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const hopeless = ownFault.test(sqlState(error) ?? '') || performance.now() > givesUpAt;
      if (hopeless || signal.aborted) throw error;
      await waitToRetry(signal);
    }
  }
}

/** The pause between two tries to reach the database; none once the process stops. */
export async function waitToRetry(signal: AbortSignal): Promise<void> {
  await pause(jobLimits.retryMs, undefined, { signal }).catch(() => {});
}
