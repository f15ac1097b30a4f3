import type { Service } from '#contract/catalogue.ts';
import { makeKey } from '#web/api/client.ts';
import { readStoredUser } from '#web/session/stored-user.ts';

/** An order being made: the services down to the chosen one, what was typed, and whether to come back after signing in. */
export interface OrderDraft {
  services: Service[];
  typed: { beneficiary: string; amount: string; paymentType: string };
  resume: boolean;
  /** Sent with the order, kept through reloads: however often its answer is lost, it makes one ticket. */
  key: string;
  /** The id of whose it is; none of a guest's, who may become anybody. */
  owner?: number | undefined;
}

const storageKey = 'guichet_order';
const nothingTyped = { beneficiary: '', amount: '', paymentType: '' };

function ownerNow(): number | undefined {
  const user = readStoredUser();
  return user?.isGuest ? undefined : user?.id;
}

/**
 * Kept for the tab, so that a phone which drops the page in the background brings it back whole. A person whose session
 * ended finds it after signing in again; another person does not.
 */
export function readOrderDraft(): OrderDraft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as OrderDraft | null;
    return stored?.services?.length && stored.owner === ownerNow()
      ? { ...stored, typed: { ...nothingTyped, ...stored.typed } }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Begins an order for the last of these services, with what is known of it already. */
export function startOrderDraft(services: Service[], typed: OrderDraft['typed'] = nothingTyped): void {
  keepOrderDraft({ services, typed, resume: false, key: makeKey() });
}

export function updateOrderDraft(change: Partial<OrderDraft>): void {
  const draft = readOrderDraft();
  if (draft) keepOrderDraft({ ...draft, ...change });
}

/** Keeps an order as the signed-in person's. */
export function keepOrderDraft(draft: OrderDraft): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ ...draft, owner: ownerNow() }));
}

export function forgetOrderDraft(): void {
  sessionStorage.removeItem(storageKey);
}
