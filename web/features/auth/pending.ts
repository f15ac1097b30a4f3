import { otpCoolDowns } from '#contract/auth.ts';

/** What the way through a code keeps until it ends; the keys are the specification's. */
const keys = {
  verification: 'pendingVerificationPhone',
  resetPhone: 'resetPasswordPhone',
  resetToken: 'resetPasswordToken',
} as const;
type Pending = keyof typeof keys;

export const readPending = (what: Pending) => localStorage.getItem(keys[what]) ?? undefined;
export const keepPending = (what: Pending, value: string) => {
  localStorage.setItem(keys[what], value);
  if (what !== 'resetToken') keepNextCodeAt(otpCoolDowns[0]);
};
export const dropPending = (...what: Pending[]) => {
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
