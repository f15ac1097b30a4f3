import type { ApiCall } from '#web/api/use-call.ts';
import { subscribe } from '#web/push/subscription.ts';
import { requireWorker } from './register-worker.ts';

/** For the tab: the person whose subscription was renewed. */
const key = 'guichet_push_renewed';

/** Saves the subscription again, since the server's copy has ended. */
export function forgetRenewedPush(): void {
  sessionStorage.removeItem(key);
}

/**
 * Tells the server of this browser again, once to a tab: it may have forgotten it, or have another key since its database was
 * restored. Throws as `subscribe` does.
 */
export async function renewPush(call: ApiCall, userId: number): Promise<void> {
  if (Notification.permission !== 'granted' || sessionStorage.getItem(key) === String(userId)) return;
  await subscribe(call, userId, await requireWorker());
  sessionStorage.setItem(key, String(userId));
}
