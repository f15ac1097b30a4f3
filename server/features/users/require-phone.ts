import { Failure } from '#contract/failure.ts';
import { readPhone } from '#contract/read-phone.ts';

interface Wording {
  /** The field of the call that holds the number. */
  path?: string;
  /** Added to what is wrong with a number that names no country. */
  adviceWithoutCountry?: string;
}

/** Reads a mobile number, national ones as of `countryCode`, as E.164. Throws PHONE_INVALID with what is wrong in it. */
export function requirePhone(
  typed: string,
  countryCode: string,
  { path = 'phone', adviceWithoutCountry }: Wording = {},
): string {
  const reading = readPhone(typed, countryCode);
  if ('e164' in reading) return reading.e164;
  const advice = adviceWithoutCountry && !typed.trim().startsWith('+') ? ` ${adviceWithoutCountry}` : '';
  const message = reading.problem + advice;
  throw new Failure('PHONE_INVALID', { message, issues: [{ path, message }] });
}
