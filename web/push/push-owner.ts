/** Where this browser keeps whose decisions it is told of. */
const key = 'guichet_push';

/** The id of the person whom this browser is told of, if there is one. */
export function readPushOwner(): number | undefined {
  const owner = localStorage.getItem(key);
  return owner ? Number(owner) : undefined;
}

export function keepPushOwner(userId: number): void {
  localStorage.setItem(key, String(userId));
}

/** Ends what this browser is told of anybody else; it is tried again at the next visit where it fails. */
export async function endPushOfOthers(userId?: number): Promise<void> {
  const owner = readPushOwner();
  if (owner === undefined || owner === userId) return;
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  // Not where somebody else has come in and asked to be told meanwhile.
  if (readPushOwner() === owner) localStorage.removeItem(key);
}
