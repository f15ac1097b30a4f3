import { setTimeout as pause } from 'node:timers/promises';
import { stopLimits } from './limits.ts';

export type Shutdown = ReturnType<typeof openShutdown>;

/** Stops what a process has started. Tells `report` of what does not stop in order. */
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
    /** Adds what needs the database: it stops before it, in the reverse order of starting. */
    add: (stop: () => Promise<unknown>) => void parts.push(stop),
    addDatabase(stop: () => Promise<void>) {
      stopDatabase = stop;
    },
    /** From now on a stop waits so long, for who sends requests here to notice that it has begun. */
    delay(seconds: number) {
      delaySeconds = seconds;
    },
    /** Stops in order after the delay, and leaves within 10 s, with this code or, where something hangs, another one. */
    stop(code: number): Promise<void> {
      stopping ??= stopAll(code);
      return stopping;
    },
  };
}
