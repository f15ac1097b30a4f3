import { navigate } from '#web/router.tsx';
import { lookForUpdateEveryMs, workerReadyMs } from './limits.ts';

/** Where the build puts the service worker, so that it serves every address. */
const file = '/service-worker.js';

/**
 * The service worker at work, registered now where it is not, for instance in data-saving mode. Throws where the browser
 * does not take it, or it is not ready in time: one that could not fetch the app never is.
 */
export async function requireWorker(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator;
  if (!(await serviceWorker.getRegistration())) await serviceWorker.register(file, { updateViaCache: 'none' });
  const late = new Promise<never>((_, refuse) => {
    setTimeout(() => refuse(new Error('no service worker in time')), workerReadyMs);
  });
  return Promise.race([serviceWorker.ready, late]);
}

/** Goes where a notification that was tapped leads, and tells the worker so. */
function followTaps(event: MessageEvent): void {
  const { open } = (event.data ?? {}) as { open?: unknown };
  if (typeof open !== 'string') return;
  event.ports[0]?.postMessage('opened');
  navigate(open);
}

/**
 * Registers the service worker, which opens the app offline. Checks for a newer version at the start and every hour while
 * the page is visible. `onOffer` receives a waiting version's activation. Answers how to stop listening.
 */
export function registerWorker(onOffer: (letIn: () => void) => void): () => void {
  const { serviceWorker } = navigator;
  // Undefined on an insecure page; in development there is none.
  if (!serviceWorker || import.meta.env.DEV) return () => {};
  const stop = new AbortController();
  serviceWorker.addEventListener('message', followTaps, { signal: stop.signal });
  const offer = (waiting: ServiceWorker) =>
    onOffer(() => {
      // Another tab has let it in already.
      if (waiting.state !== 'installed') return location.reload();
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('activate');
    });
  const follow = async () => {
    const registration = await serviceWorker.register(file, { updateViaCache: 'none' });
    if (stop.signal.aborted) return;
    // The first one ever replaces nothing, and is not offered.
    const look = () => {
      const { waiting, installing } = registration;
      if (waiting && serviceWorker.controller) offer(waiting);
      installing?.addEventListener('statechange', look, { once: true, signal: stop.signal });
    };
    registration.addEventListener('updatefound', look, { signal: stop.signal });
    look();
    let lookedAt = 0;
    const update = () => {
      if (document.hidden || Date.now() - lookedAt < lookForUpdateEveryMs) return;
      lookedAt = Date.now();
      registration.update().catch(() => {});
    };
    update();
    const timer = setInterval(update, lookForUpdateEveryMs);
    document.addEventListener('visibilitychange', update, { signal: stop.signal });
    stop.signal.addEventListener('abort', () => clearInterval(timer));
  };
  // Without a line, or with one that brings something else, there is none: the next visit tries again.
  follow().catch(() => {});
  return () => stop.abort();
}
