import type { Service } from '#contract/catalogue.ts';
import { makeKey } from '#web/api/client.ts';
import { readStoredUser } from '#web/session/stored-user.ts';
import { sessionStore } from './store.ts';

/** An unsent order: the services down to the chosen one, the typed values, and whether to resume after a sign-in. */
export interface OrderDraft {
  services: Service[];
  typed: { beneficiary: string; amount: string; paymentType: string };
  resume: boolean;
  /** The order's idempotency key, stored across reloads: lost answers and retries make one ticket. */
  key: string;
  /** The owner's id; absent for a guest, who may sign in as anyone. */
  owner?: number | undefined;
}

const storageKey = 'guichet_order';
export const nothingTyped = { beneficiary: '', amount: '', paymentType: '' };

function ownerNow(): number | undefined {
  const user = readStoredUser();
  return user?.isGuest ? undefined : user?.id;
}

/** The draft, also after a phone discarded the page. After an ended session only the same person gets it back. */
export function readOrderDraft(): OrderDraft | undefined {
  try {
    const stored = JSON.parse(sessionStore.read(storageKey) ?? 'null') as OrderDraft | null;
    return stored?.services?.length && stored.owner === ownerNow()
      ? { ...stored, typed: { ...nothingTyped, ...stored.typed } }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Starts an order for the last of these services, with the known values. */
export function startOrderDraft(services: Service[], known: Partial<OrderDraft['typed']> = {}): void {
  keepOrderDraft({ services, typed: { ...nothingTyped, ...known }, resume: false, key: makeKey() });
}

export function updateOrderDraft(change: Partial<OrderDraft>): void {
  const draft = readOrderDraft();
  if (draft) keepOrderDraft({ ...draft, ...change });
}

/** Stores an order as the signed-in person's. */
export function keepOrderDraft(draft: OrderDraft): void {
  sessionStore.keep(storageKey, JSON.stringify({ ...draft, owner: ownerNow() }));
}

export function forgetOrderDraft(): void {
  sessionStore.forget(storageKey);
}
