import { otpCoolDownSeconds } from '#contract/auth.ts';

/** What the screens of a code keep between them until the code has led somewhere; the keys are those of P5.13. */
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

/** Keeps, through a reload, that another code may be asked for in so many seconds; answers when, in milliseconds. */
export function keepNextCodeAt(seconds: number): number {
  const at = Date.now() + seconds * 1000;
  sessionStorage.setItem(nextCodeKey, String(at));
  return at;
}

export function readNextCodeAt(): number {
  return Number(sessionStorage.getItem(nextCodeKey) ?? 0);
}

const refusalsKey = 'guichet_code_refusals';

/** Keeps, through a reload, how many tries the last code has cost. */
export const keepRefusals = (count: number) => sessionStorage.setItem(refusalsKey, String(count));
export const readRefusals = () => Number(sessionStorage.getItem(refusalsKey) ?? 0);
