import type { Service } from '#contract/catalogue.ts';
import { makeKey } from '#web/api/client.ts';

/** An order being made: the services down to the chosen one, what was typed, and whether to come back after signing in. */
export interface OrderDraft {
  services: Service[];
  typed: { beneficiary: string; amount: string; paymentType: string };
  resume: boolean;
  /** Sent with the order, kept through reloads: however often its answer is lost, it makes one ticket. */
  key: string;
}

const storageKey = 'guichet_order';
const nothingTyped = { beneficiary: '', amount: '', paymentType: '' };

/** Kept for the tab, so that a phone which drops the page in the background brings it back whole. */
export function readOrderDraft(): OrderDraft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as OrderDraft | null;
    return stored?.services?.length ? { ...stored, typed: { ...nothingTyped, ...stored.typed } } : undefined;
  } catch {
    return undefined;
  }
}

/** Begins an order for the last of these services, with what is known of it already. */
export function startOrderDraft(services: Service[], typed: OrderDraft['typed'] = nothingTyped): void {
  store({ services, typed, resume: false, key: makeKey() });
}

export function updateOrderDraft(change: Partial<OrderDraft>): void {
  const draft = readOrderDraft();
  if (draft) store({ ...draft, ...change });
}

function store(draft: OrderDraft): void {
  sessionStorage.setItem(storageKey, JSON.stringify(draft));
}

export function forgetOrderDraft(): void {
  sessionStorage.removeItem(storageKey);
}
