/**
 * What a change touches, and what an answer depends on. A name in braces is filled in for each call: `{userId}` from its
 * path, `{callerId}` with the person calling, `{sid}` with the stored hash of their session's id. Triggers announce the
 * same words, by the hand-written migrations in `server/database/migrations/`.
 */
export const topics = [
  /** Commission ranges included. */
  'services',
  'payment-types',
  'content-pages',
  'page-background',
  'users',
  'user:{callerId}',
  'user:{callerId}:tickets',
  'user:{callerId}:notifications',
  'user:{userId}:tickets',
  'user:{userId}:notifications',
  'tickets',
  'settings',
  'audit',
  /** Accounts that strangers guess at. */
  'sign-in-attacks',
  'session:{sid}',
] as const;
export type Topic = (typeof topics)[number];
