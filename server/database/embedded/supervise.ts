import { setTimeout as pause } from 'node:timers/promises';
import { supervisionLimits } from '#server/process/limits.ts';

export type Supervision = ReturnType<typeof supervise>;

interface Supervised {
  /** Whether the server is there: a cheap look. */
  isThere(): boolean;
  /** Starts it, and resolves when it takes connections; rejects with its reason, and when the signal says so. */
  start(signal: AbortSignal): Promise<void>;
  log: { error(details: object, message: string): void };
  /** Told once, with the last reason, when the server has not come back, or not to stay, for `supervisionLimits.giveUpMs`. */
  giveUp(reason: unknown): void;
  limits?: Record<keyof typeof supervisionLimits, number>;
}

/** Looks every second whether the server is there, and starts it again where it is not, until it stays. */
export function supervise({ isThere, start, log, giveUp, limits = supervisionLimits }: Supervised) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => {});

  const watch = async () => {
    /** Since when it has been gone, or has not stayed; `undefined` while all is well. */
    let troubleSince: number | undefined;
    let lastStart = 0;
    let wasThere = true;
    let reason: unknown;
    let pauseMs = limits.firstPauseMs;
    while (!signal.aborted) {
      if (isThere()) {
        wasThere = true;
        if (troubleSince !== undefined && performance.now() - lastStart > limits.steadyMs) {
          troubleSince = undefined;
          pauseMs = limits.firstPauseMs;
        }
        await wait(limits.lookMs);
        continue;
      }
      if (wasThere) log.error({ err: reason }, 'PostgreSQL is gone; it is started again');
      wasThere = false;
      troubleSince ??= performance.now();
      if (performance.now() - troubleSince > limits.giveUpMs) return giveUp(reason);
      try {
        await start(signal);
        lastStart = performance.now();
      } catch (error) {
        if (signal.aborted) return;
        reason = error;
        log.error({ err: error }, 'PostgreSQL does not start yet');
        await wait(pauseMs);
        pauseMs = Math.min(2 * pauseMs, limits.longestPauseMs);
      }
    }
  };
  const watching = watch();
  return {
    /** Ends it; a start under way is broken off. */
    stop(): Promise<void> {
      stopping.abort();
      return watching;
    },
  };
}
