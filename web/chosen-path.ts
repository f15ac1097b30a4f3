import type { Service } from '#contract/catalogue.ts';

/** A request being made: the services down to the chosen one, what was typed, and whether to come back after signing in. */
export interface ChosenPath {
  services: Service[];
  draft: { beneficiary: string; amount: string; paymentType: string };
  resume: boolean;
  /** Sent with the request, kept through reloads: however often its answer is lost, it makes one ticket. */
  key: string;
}

const storageKey = 'guichet_order';
const emptyDraft = { beneficiary: '', amount: '', paymentType: '' };

/** Kept for the tab, so that a phone which drops the page in the background brings it back whole. */
export function readChosenPath(): ChosenPath | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as ChosenPath | null;
    return stored?.services?.length ? { ...stored, draft: { ...emptyDraft, ...stored.draft } } : undefined;
  } catch {
    return undefined;
  }
}

export function choosePath(services: Service[]): void {
  store({ services, draft: emptyDraft, resume: false, key: makeKey() });
}

export function updateChosenPath(change: Partial<ChosenPath>): void {
  const chosen = readChosenPath();
  if (chosen) store({ ...chosen, ...change });
}

function store(chosen: ChosenPath): void {
  sessionStorage.setItem(storageKey, JSON.stringify(chosen));
}

/** 128 random bits; `crypto.randomUUID` exists on secure pages only. */
export function makeKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function forgetChosenPath(): void {
  sessionStorage.removeItem(storageKey);
}
