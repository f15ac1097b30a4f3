import { idleAfterMs, idleAtMostMs } from './limits.ts';

/** Runs a task once the page is loaded and idle, at the latest after a timeout; never in data-saving mode. */
export function whenIdle(act: () => void): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  // Safari has no idle callbacks.
  const wait = () =>
    'requestIdleCallback' in window
      ? requestIdleCallback(act, { timeout: idleAtMostMs })
      : setTimeout(act, idleAfterMs);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
