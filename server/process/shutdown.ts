import { setTimeout as pause } from 'node:timers/promises';
import { stopLimits } from './limits.ts';

export type Shutdown = ReturnType<typeof openShutdown>;

/** Stops the parts that a process has started. Calls `report` with the error of a part that fails to stop. */
export function openShutdown(report: (error: unknown) => void) {
  const parts: (() => Promise<unknown>)[] = [];
  const begun = new AbortController();
  let stopDatabase = async (): Promise<void> => {};
  let delaySeconds = 0;
  let stopping: Promise<void> | undefined;

  const stopAll = async (code: number) => {
    begun.abort();
    if (code === 0) await pause(delaySeconds * 1_000);
    setTimeout(() => process.exit(code || 1), stopLimits.wholeMs);
    const stopParts = async () => {
      for (const each of parts.reverse()) await each().catch(report);
      return code;
    };
    const left = await Promise.race([stopParts(), pause(stopLimits.othersMs, code || 1)]);
    await stopDatabase().catch(report);
    process.exit(left);
  };
  return {
    /** Aborted when the process is told to stop. */
    signal: begun.signal,
    /** Adds a part that needs the database. Parts stop before it, in reverse order of starting. */
    add: (stop: () => Promise<unknown>) => void parts.push(stop),
    addDatabase(stop: () => Promise<void>) {
      stopDatabase = stop;
    },
    /** Makes a later stop wait this long first, so that load balancers notice it. */
    delay(seconds: number) {
      delaySeconds = seconds;
    },
    /** Stops in order after the delay, and exits within 10 s with this code, or with another one if a part hangs. */
    stop(code: number): Promise<void> {
      stopping ??= stopAll(code);
      return stopping;
    },
  };
}
