import { otpCoolDownSeconds } from '#contract/auth.ts';
import { localStore, sessionStore } from '#web/store.ts';

/** State shared by the screens of a code until its success; the keys are those of P5.13. */
const keys = {
  verificationPhone: 'pendingVerificationPhone',
  resetPhone: 'resetPasswordPhone',
} as const;
type Kept = keyof typeof keys;

export const readKept = (what: Kept) => localStore.read(keys[what]) ?? undefined;
export const keepForCode = (what: Kept, value: string) => {
  localStore.keep(keys[what], value);
  keepWait(otpCoolDownSeconds[0]);
  keepRefusals(0);
};
export const dropKept = (...what: Kept[]) => {
  for (const each of what) localStore.forget(keys[each]);
};

const nextCodeKey = 'guichet_next_code';

/** Stores the seconds until another code may be requested, also for a reload. */
export function keepWait(seconds: number): void {
  sessionStore.keep(nextCodeKey, JSON.stringify({ at: Date.now(), seconds }));
}

/** What is left of these seconds. A phone whose clock was changed waits no more: the server knows. */
export function readWait(): number {
  try {
    const { at, seconds } = JSON.parse(sessionStore.read(nextCodeKey) ?? '') as { at: number; seconds: number };
    return Math.max(0, seconds - Math.abs(Date.now() - at) / 1000) || 0;
  } catch {
    return 0;
  }
}

const refusalsKey = 'guichet_code_refusals';

/** Stores the number of tries spent on the last code, also for a reload. */
export const keepRefusals = (count: number) => sessionStore.keep(refusalsKey, String(count));
export const readRefusals = () => Number(sessionStore.read(refusalsKey) ?? 0);
