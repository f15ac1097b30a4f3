import { makeKey } from '#web/api/client.ts';
import { keepTyped, readTyped } from './use-kept.ts';

/** The idempotency key of a form, until its values change: sent again after a lost answer it is the same call. */
export function keepFormKey(form: string): string {
  const { key = makeKey(), ...typed } = readTyped(form);
  keepTyped(form, { ...typed, key });
  return key;
}
