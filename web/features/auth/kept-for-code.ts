import { otpCoolDownSeconds } from '#contract/auth.ts';

/** State shared by the screens of a code until its success; the keys are those of P5.13. */
const keys = {
  verificationPhone: 'pendingVerificationPhone',
  resetPhone: 'resetPasswordPhone',
} as const;
type Kept = keyof typeof keys;

export const readKept = (what: Kept) => localStorage.getItem(keys[what]) ?? undefined;
export const keepForCode = (what: Kept, value: string) => {
  localStorage.setItem(keys[what], value);
  keepNextCodeAt(otpCoolDownSeconds[0]);
  keepRefusals(0);
};
export const dropKept = (...what: Kept[]) => {
  for (const each of what) localStorage.removeItem(keys[each]);
};

const nextCodeKey = 'guichet_next_code';

/** Stores when another code may be requested, also for a reload; returns that time in milliseconds. */
export function keepNextCodeAt(seconds: number): number {
  const at = Date.now() + seconds * 1000;
  sessionStorage.setItem(nextCodeKey, String(at));
  return at;
}

export function readNextCodeAt(): number {
  return Number(sessionStorage.getItem(nextCodeKey) ?? 0);
}

const refusalsKey = 'guichet_code_refusals';

/** Stores the number of tries spent on the last code, also for a reload. */
export const keepRefusals = (count: number) => sessionStorage.setItem(refusalsKey, String(count));
export const readRefusals = () => Number(sessionStorage.getItem(refusalsKey) ?? 0);
