import { randomInt } from 'node:crypto';

/** 14 characters that are not taken for one another when copied by hand: about 70 bits. */
export function inventPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from({ length: 14 }, () => letters[randomInt(letters.length)]).join('');
}
