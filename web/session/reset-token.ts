import { resetTokenSeconds } from '#contract/auth.ts';
import { localStore } from '#web/store.ts';

/** P5.13. */
const key = 'resetPasswordToken';
const keptAtKey = 'guichet_reset_at';

export function dropResetToken(): void {
  localStore.forget(key);
  localStore.forget(keptAtKey);
}

/** Stores the reset token, also for a reload. */
export function keepResetToken(token: string): void {
  localStore.keep(key, token);
  localStore.keep(keptAtKey, String(Date.now()));
}

/** Milliseconds for which the reset token stays valid; 0 without one. */
export function resetTokenLeftMs(): number {
  const keptAt = Number(localStore.read(keptAtKey));
  // Bounded by its lifetime even if the phone's clock was changed.
  const age = Math.abs(Date.now() - keptAt);
  return localStore.read(key) ? Math.max(0, resetTokenSeconds * 1000 - age) : 0;
}

/** Removes an expired reset token. For a token of unknown age, its lifetime starts now. */
export function dropOldResetToken(): void {
  const token = localStore.read(key);
  if (token && !localStore.read(keptAtKey)) keepResetToken(token);
  if (resetTokenLeftMs() === 0) dropResetToken();
}

export function readResetToken(): string | undefined {
  dropOldResetToken();
  return localStore.read(key) ?? undefined;
}
