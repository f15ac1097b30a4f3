import { resetTokenSeconds } from '#contract/auth.ts';

/** P5.13. */
const key = 'resetPasswordToken';
const keptAtKey = 'guichet_reset_at';

export function dropResetToken(): void {
  localStorage.removeItem(key);
  localStorage.removeItem(keptAtKey);
}

/** Keeps the token that a code was exchanged for, through a reload. */
export function keepResetToken(token: string): void {
  localStorage.setItem(key, token);
  localStorage.setItem(keptAtKey, String(Date.now()));
}

/** For how many milliseconds the server still takes the token; 0 where there is none. */
export function resetTokenLeftMs(): number {
  const keptAt = Number(localStorage.getItem(keptAtKey));
  // Not for longer than its time, whatever the phone's clock was set to since.
  const age = Math.abs(Date.now() - keptAt);
  return localStorage.getItem(key) ? Math.max(0, resetTokenSeconds * 1000 - age) : 0;
}

/** Leaves no token lying about which the server no longer takes. Of one whose age is not known the time begins now. */
export function dropOldResetToken(): void {
  const token = localStorage.getItem(key);
  if (token && !localStorage.getItem(keptAtKey)) keepResetToken(token);
  if (resetTokenLeftMs() === 0) dropResetToken();
}

export function readResetToken(): string | undefined {
  dropOldResetToken();
  return localStorage.getItem(key) ?? undefined;
}
