/**
 * What a change touches, and what an answer depends on. A name in braces is filled in for each call: `{callerId}` with the
 * person calling, `{sid}` with the stored hash of their session's id, any other from the call's path. Triggers announce the
 * same words, by the hand-written migrations in `server/database/migrations/`; in place of an id a star, where it is any.
 */
export const topics = [
  /** Commission ranges included. */
  'services',
  'payment-types',
  'content-pages',
  'page-background',
  /** Anything of anybody; also that somebody new is there. */
  'users',
  /** What others see of people beside tickets and deeds: name, number, e-mail address, role. */
  'user-names',
  'user:{id}',
  'user:{id}:tickets',
  'user:{callerId}',
  'user:{callerId}:tickets',
  'user:{callerId}:notifications',
  'user:{userId}:tickets',
  'user:{userId}:notifications',
  'tickets',
  'settings',
  'audit',
  /** Messages, their gateways and how many a day brought. */
  'sms',
  /** What an operator should know of now. */
  'alarms',
  'backups',
  /** Accounts that strangers guess at. */
  'sign-in-attacks',
  'session:{sid}',
] as const;
export type Topic = (typeof topics)[number];
