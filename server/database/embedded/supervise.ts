import { setTimeout as pause } from 'node:timers/promises';
import { supervisionLimits } from '#server/database/limits.ts';

export type Supervision = ReturnType<typeof supervise>;

interface Supervised {
  /** Whether the server is there: a cheap look. */
  isThere(): boolean;
  /** Starts it, and resolves when it takes connections; rejects with its reason, and when the signal says so. */
  start(signal: AbortSignal): Promise<void>;
  log: { error(details: object, message: string): void };
  /** Called once, with the last reason, when the server has not come back, or not to stay, for `supervisionLimits.giveUpMs`. */
  giveUp(reason: unknown): void;
  limits?: Record<keyof typeof supervisionLimits, number>;
}

/** Looks every second whether the server is there, and starts it again where it is not, until it stays. */
export function supervise({ isThere, start, log, giveUp, limits = supervisionLimits }: Supervised) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = async () => {
    /** Since when it has been gone, or has not stayed; `undefined` while all is well. */
    let troubleSince: number | undefined;
    let lastStart = 0;
    let reason: unknown;
    while (!signal.aborted) {
      const now = performance.now();
      if (!isThere()) {
        troubleSince ??= now;
        if (now - troubleSince > limits.giveUpMs) return giveUp(reason);
        log.error({ err: reason }, 'PostgreSQL is gone; it is started again');
        try {
          await start(signal);
          lastStart = performance.now();
        } catch (error) {
          reason = error;
        }
      } else if (now - lastStart > limits.steadyMs) troubleSince = undefined;
      await pause(limits.lookMs, undefined, { signal, ref: false }).catch(() => {});
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
