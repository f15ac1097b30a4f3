import { navigate } from '#web/router.tsx';
import { checkForUpdateEveryMs, workerReadyMs } from './limits.ts';

/** The service worker's address, whose scope is every address. */
const file = '/service-worker.js';

/** A proxy changes the app's files on their way, so that the service worker refuses them. */
export class FilesChanged extends Error {}

/** The active service worker, registered now if needed. Throws if the browser refuses it, it is not ready in time, or `FilesChanged`. */
export async function requireWorker(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator;
  const stop = new AbortController();
  const failed = new Promise<never>((_, refuse) => {
    setTimeout(() => refuse(new Error('no service worker in time')), workerReadyMs);
    const hear = ({ data }: MessageEvent) => {
      if ((data as { changed?: string } | null)?.changed) refuse(new FilesChanged());
    };
    serviceWorker.addEventListener('message', hear, { signal: stop.signal });
  });
  const register = async () => {
    if (!(await serviceWorker.getRegistration())) await serviceWorker.register(file, { updateViaCache: 'none' });
    return serviceWorker.ready;
  };
  return Promise.race([register(), failed]).finally(() => stop.abort());
}

/** Navigates to the address of a tapped notification, and confirms it to the worker. */
function followTaps(event: MessageEvent): void {
  const { open } = (event.data ?? {}) as { open?: unknown };
  if (typeof open !== 'string') return;
  event.ports[0]?.postMessage('opened');
  navigate(open);
}

/** Registers the service worker; `onOffer` receives the activation of a newer version. Returns the clean-up function. */
export function registerWorker(onOffer: (activate: () => void) => void): () => void {
  const { serviceWorker } = navigator;
  // Undefined on an insecure page; development has no worker.
  if (!serviceWorker || import.meta.env.DEV) return () => {};
  const stop = new AbortController();
  serviceWorker.addEventListener('message', followTaps, { signal: stop.signal });
  const offer = (waiting: ServiceWorker) =>
    onOffer(() => {
      // Another tab has already activated it.
      if (waiting.state !== 'installed') return location.reload();
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('activate');
    });
  const follow = async () => {
    const registration = await serviceWorker.register(file, { updateViaCache: 'none' });
    if (stop.signal.aborted) return;
    // The first worker replaces nothing, and is not offered.
    const check = () => {
      const { waiting, installing } = registration;
      if (waiting && serviceWorker.controller) offer(waiting);
      installing?.addEventListener('statechange', check, { once: true, signal: stop.signal });
    };
    registration.addEventListener('updatefound', check, { signal: stop.signal });
    check();
    let checkedAt = Number.NEGATIVE_INFINITY;
    const update = () => {
      if (document.hidden || performance.now() - checkedAt < checkForUpdateEveryMs) return;
      checkedAt = performance.now();
      registration.update().catch(() => {});
    };
    update();
    const timer = setInterval(update, checkForUpdateEveryMs);
    document.addEventListener('visibilitychange', update, { signal: stop.signal });
    stop.signal.addEventListener('abort', () => clearInterval(timer));
  };
  // Offline, or behind a captive portal, registration fails: the next visit tries again.
  follow().catch(() => {});
  return () => stop.abort();
}
