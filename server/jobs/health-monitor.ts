import { type Machine, watchMachine, watchQueue } from '#server/features/watch/checks.ts';
import type { Watching } from '#server/features/watch/jobs.ts';
import { notifyAlarms, notifyStuckQueue } from '#server/features/watch/notify.ts';
import { watchLimits } from '#server/process/watch-limits.ts';

export interface HealthMonitor {
  /** Looks now; resolves when that is done, whatever came of it. */
  look(): Promise<void>;
  /** Ends when a look under way has. */
  stop(): Promise<void>;
}

/** Checks the machine and the queue every minute, outside of the queue, and retries unsent notifications. */
export function startHealthMonitor(
  machine: Machine,
  { channels, publicUrl, log }: Watching & { log: { warn(details: object, message: string): void } },
): HealthMonitor {
  const { db } = machine;
  let waited = false;
  let reported = '';
  let checking: Promise<void> | undefined;
  const checkOnce = async () => {
    try {
      await watchMachine(machine);
      waited = await watchQueue(db, waited);
      const { phones, webhook } = channels;
      if (webhook) await notifyStuckQueue(db, { phones, webhook }, publicUrl);
      await notifyAlarms(db, channels);
      reported = '';
    } catch (error) {
      // An outage of an hour is one line, and not sixty.
      if (String(error) !== reported) log.warn({ err: error }, 'nothing is watched for now');
      reported = String(error);
    }
  };
  const look = async () => {
    await checking;
    checking ??= checkOnce().finally(() => {
      checking = undefined;
    });
    await checking;
  };
  // None while one is under way: behind one that hangs they would pile up.
  const timer = setInterval(() => checking ?? look(), watchLimits.lookMs);
  void look();
  return {
    look,
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}
