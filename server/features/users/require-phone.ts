import { Failure } from '#contract/failure.ts';
import { readPhone } from '#contract/read-phone.ts';

interface Wording {
  /** The field of the call that holds the number. */
  path?: string;
  /** Added to the refusal of a number without a country. */
  adviceWithoutCountry?: string;
}

/** Reads a mobile number as E.164; national ones are of `countryCode`. Throws PHONE_INVALID with the reason. */
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
