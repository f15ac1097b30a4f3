import { otpCoolDownSeconds } from '#contract/auth.ts';
import { localStore, sessionStore } from '#web/store.ts';

/** State shared by the screens of a code until its success; these keys are those of P5.13. */
export const phoneKeys = {
  verificationPhone: 'pendingVerificationPhone',
  resetPhone: 'resetPasswordPhone',
} as const;
export const nextCodeKey = 'guichet_next_code';

export function keepForCode(what: keyof typeof phoneKeys, value: string): void {
  localStore.keep(phoneKeys[what], value);
  keepWait(otpCoolDownSeconds[0]);
}

/** Stores the seconds until another code may be requested, also for a reload. */
export function keepWait(seconds: number): void {
  sessionStore.keep(nextCodeKey, JSON.stringify({ at: Date.now(), seconds }));
}
