import { deletePushSubscription, readPushKey, savePushSubscription } from '#contract/push.ts';
import type { ApiCall } from '#web/api/use-call.ts';
import { endPushOfOthers, keepPushOwner, readPushOwner } from './push-owner.ts';

/**
 * Subscribes this browser to a person's decisions. It subscribes once, and again where the subscription has another key
 * than the server's. Throws what the browser or the server refuses.
 */
export async function subscribe(call: ApiCall, userId: number, worker: ServiceWorkerRegistration): Promise<void> {
  const { publicKey } = await call(readPushKey, {});
  const { pushManager } = worker;
  const known = await pushManager.getSubscription();
  const fits = known && textOf(known.options.applicationServerKey) === publicKey;
  if (known && !fits) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const { endpoint, keys } = (fits ? known : await pushManager.subscribe(options)).toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  const isNew = readPushOwner() !== userId;
  // Before: what the server has kept ends with the session, also where its answer was lost.
  keepPushOwner(userId);
  try {
    await call(savePushSubscription, { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } });
  } catch (error) {
    if (isNew) await endPushOfOthers();
    throw error;
  }
}

/** Ends this browser's subscription, first here, so that it holds offline too. */
export async function unsubscribe(call: ApiCall): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  const endpoint = (await worker?.pushManager.getSubscription())?.endpoint;
  await endPushOfOthers();
  if (endpoint) await call(deletePushSubscription, { body: { endpoint } });
}

/** Bytes as base64url without padding, as the server writes keys. */
function textOf(bytes: ArrayBuffer | null): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
