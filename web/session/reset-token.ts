import { resetTokenSeconds } from '#contract/auth.ts';

/** P5.13. */
const key = 'resetPasswordToken';
const keptAtKey = 'guichet_reset_at';

export function dropResetToken(): void {
  localStorage.removeItem(key);
  localStorage.removeItem(keptAtKey);
}

/** Stores the reset token, also for a reload. */
export function keepResetToken(token: string): void {
  localStorage.setItem(key, token);
  localStorage.setItem(keptAtKey, String(Date.now()));
}

/** Milliseconds for which the reset token stays valid; 0 without one. */
export function resetTokenLeftMs(): number {
  const keptAt = Number(localStorage.getItem(keptAtKey));
  // Bounded by its lifetime even if the phone's clock was changed.
  const age = Math.abs(Date.now() - keptAt);
  return localStorage.getItem(key) ? Math.max(0, resetTokenSeconds * 1000 - age) : 0;
}

/** Removes an expired reset token. For a token of unknown age, its lifetime starts now. */
export function dropOldResetToken(): void {
  const token = localStorage.getItem(key);
  if (token && !localStorage.getItem(keptAtKey)) keepResetToken(token);
  if (resetTokenLeftMs() === 0) dropResetToken();
}

export function readResetToken(): string | undefined {
  dropOldResetToken();
  return localStorage.getItem(key) ?? undefined;
}
