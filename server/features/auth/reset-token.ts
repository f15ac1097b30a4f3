import { createHash, randomBytes } from 'node:crypto';
import type { UserRow } from '#server/features/users/store.ts';

/** 256 random bits that allow one new password. */
export function makeResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database knows of a token. */
export function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Only a verified person resets by SMS: no guest, nobody deactivated, and never an administrator. */
export function mayReset(user: UserRow): boolean {
  return user.isVerified && !user.isAdmin && !user.isGuest && !user.deactivatedAt;
}
