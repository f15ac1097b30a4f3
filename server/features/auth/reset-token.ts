import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { UserRow } from '#server/features/users/store.ts';

/** 256 random bits that allow one new password. */
export function makeResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What an exchange is known by: the browser's flow, the code, and a key which only that browser knows. */
export interface Exchange {
  flowId: string;
  code: string;
  key: string;
}

/** 256 bits that look random without the server's secret, and are the same for the same exchange. */
export function deriveResetToken(secret: string, { flowId, code, key }: Exchange): string {
  return createHmac('sha256', secret).update(`token|${flowId}|${code}|${key}`).digest('base64url');
}

/** What the database knows of a token. */
export function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Only a verified person resets by SMS: no guest, no deactivated account and no administrator. */
export function mayReset(user: UserRow): boolean {
  return user.isVerified && !user.isAdmin && !user.isGuest && !user.deactivatedAt;
}
