import type { ApiCall } from '#web/api/use-call.ts';
import { subscribe } from '#web/push/subscription.ts';
import { requireWorker } from '#web/shell/register-worker.ts';
import { sessionStore } from '#web/store.ts';

/** Per tab: the person whose subscription was renewed. */
const key = 'guichet_push_renewed';

/** Makes the next renewal save the subscription again, since the server's copy has ended. */
export function forgetRenewedPush(): void {
  sessionStore.forget(key);
}

/** Saves this browser's subscription again, once per tab: the server may have lost it, or have another key. Throws as `subscribe` does. */
export async function renewPush(call: ApiCall, userId: number): Promise<void> {
  if (Notification.permission !== 'granted' || sessionStore.read(key) === String(userId)) return;
  await subscribe(call, userId, await requireWorker());
  sessionStore.keep(key, String(userId));
}
