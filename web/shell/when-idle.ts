import { idleAfterMs, idleAtMostMs } from './limits.ts';

/**
 * Does something once the page is loaded and has nothing else to do, or has been busy for long; never for somebody who asked
 * to save data.
 */
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
