/**
 * Topics link changes to the answers that depend on them. Names in braces are filled in: `{callerId}` with the caller, `{sid}` with the
 * session id's stored hash, others from the path. Database triggers announce the same topics (`server/database/migrations/`). A star in
 * place of an id means any id.
 */
export const topics = [
  /** Includes commission ranges. */
  'services',
  'payment-types',
  /** Accounts, sources, messages, lines and their matches. */
  'payments',
  'content-pages',
  'page-background',
  /** Any change of any user, new users included. */
  'users',
  /** The data of a person that is shown beside tickets and audited actions: name, number, e-mail address, role. */
  'user-names',
  'user:{id}',
  'user:{id}:tickets',
  'user:{callerId}',
  'user:{callerId}:tickets',
  'user:{callerId}:notifications',
  'user:{callerId}:beneficiaries',
  'user:{userId}:tickets',
  'user:{userId}:notifications',
  'tickets',
  'settings',
  /** How to reach the operator. */
  'contact',
  'audit',
  /** Messages, their gateways and the day's count. */
  'sms',
  'alarms',
  'backups',
  'session:{sid}',
  /** Another minute has begun, by the clock of the process: no trigger announces it. */
  'minute',
] as const;
export type Topic = (typeof topics)[number];
