import { idleAfterMs } from './limits.ts';

/** Does something once the page is loaded and has nothing else to do; never for somebody who asked to save data. */
export function whenIdle(act: () => void): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  let timer: ReturnType<typeof setTimeout>;
  let given = 0;
  const start = () => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) given = requestIdleCallback(act);
    else timer = setTimeout(act, idleAfterMs);
  };
  if (document.readyState === 'complete') start();
  else addEventListener('load', start);
  return () => {
    removeEventListener('load', start);
    clearTimeout(timer);
    if (given) cancelIdleCallback(given);
  };
}
