import { deletePushSubscription, readPushKey, savePushSubscription } from '#contract/push.ts';
import type { ApiCall } from '#web/api/use-call.ts';
import { endPushOfOthers, keepPushOwner, readPushOwner } from './push-owner.ts';

/** Subscribes this browser to a person's decisions. Throws the browser's or the server's refusal. */
export async function subscribe(call: ApiCall, userId: number, worker: ServiceWorkerRegistration): Promise<void> {
  const isNew = readPushOwner() !== userId;
  const { publicKey } = await call(readPushKey, {});
  // Ended while it was to be renewed.
  if (!isNew && readPushOwner() !== userId) return;
  const { pushManager } = worker;
  const known = await pushManager.getSubscription();
  const fits = known && textOf(known.options.applicationServerKey) === publicKey;
  if (known && !fits) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const { endpoint, keys } = (fits ? known : await pushManager.subscribe(options)).toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  // Stored before the call: the server's copy ends with the session, also if its answer was lost.
  keepPushOwner(userId);
  try {
    await call(savePushSubscription, { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } });
  } catch (error) {
    if (isNew) await endPushOfOthers();
    throw error;
  }
}

/** Ends this browser's subscription, locally first, so that it works offline. */
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
