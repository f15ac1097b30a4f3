import type { Service } from '#contract/catalogue.ts';

/** The services from a family down to the chosen one, what was typed for it, and whether to come back after signing in. */
export interface ChosenPath {
  services: Service[];
  draft: { beneficiary: string; amount: string; paymentType: string };
  resume: boolean;
}

const key = 'guichet_order';
const emptyDraft = { beneficiary: '', amount: '', paymentType: '' };

/** Kept for the tab, so that a phone which drops the page in the background brings it back whole. */
export function readChosenPath(): ChosenPath | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as ChosenPath | null;
    return stored?.services?.length ? { ...stored, draft: { ...emptyDraft, ...stored.draft } } : undefined;
  } catch {
    return undefined;
  }
}

export function choosePath(services: Service[]): void {
  sessionStorage.setItem(key, JSON.stringify({ services, draft: emptyDraft, resume: false } satisfies ChosenPath));
}

export function updateChosenPath(change: Partial<ChosenPath>): void {
  const chosen = readChosenPath();
  if (chosen) sessionStorage.setItem(key, JSON.stringify({ ...chosen, ...change }));
}

export function forgetChosenPath(): void {
  sessionStorage.removeItem(key);
}
