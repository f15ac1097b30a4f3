import { localStore } from '#web/store.ts';

/** The storage key of the person whose decisions are pushed to this browser. */
const key = 'guichet_push';

/** The id of the person whose decisions are pushed to this browser, if any. */
export function readPushOwner(): number | undefined {
  const owner = localStore.read(key);
  return owner ? Number(owner) : undefined;
}

export function keepPushOwner(userId: number): void {
  localStore.keep(key, String(userId));
}

/** Ends the subscription of another person; a failure is retried at the next visit. */
export async function endPushOfOthers(userId?: number): Promise<void> {
  const owner = readPushOwner();
  if (owner === undefined || owner === userId) return;
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  // Not where another person has signed in and subscribed meanwhile.
  if (readPushOwner() === owner) localStore.forget(key);
}
