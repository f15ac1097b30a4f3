import { type Country, countries, countryCodes, countryOf, findCountry, group } from './phone.ts';
import { plain } from './spelling.ts';

export type PhoneReading = { e164: string } | { problem: string };

const written = /^(?:\+|00)?[0-9]+$/;
const unreadable = { problem: 'Numéro de téléphone invalide.' };

/**
 * Reads a mobile number, national (of `countryCode`) or international ('+226…', '00226…', also '226…'), in the spelling of any keyboard,
 * contact list or link ('tel:…'). Returns E.164, or a French sentence. For an old Benin number (ITU, 2024-11-30) that proposes 01….
 * Letters and digits of other alphabets are refused: dropping them could leave another person's number.
 */
export function readPhone(typed: string, countryCode: string): PhoneReading {
  const digits = withoutSeparators(typed).replace(/^00/, '+');
  if (!written.test(digits)) return unreadable;
  const full = digits.startsWith('+') ? digits : isWithoutPlus(digits) ? `+${digits}` : undefined;
  const country = full ? countryOf(full) : findCountry(countryCode);
  if (!country) return { problem: `Ce pays n'est pas desservi. Indicatifs acceptés : ${countryCodes.join(', ')}.` };
  const national = full ? full.slice(country.code.length) : digits;
  if (country.mobile.test(national)) return { e164: country.code + national };
  if (country.iso === 'BJ' && country.mobile.test(`01${national}`))
    return { problem: `Les numéros du Bénin ont 10 chiffres : vouliez-vous dire ${group(`01${national}`, country)} ?` };
  const length = country.groups.reduce((sum, size) => sum + size, 0);
  const lack = national.length === length ? "ce n'est pas un mobile" : `${length}\u00a0chiffres`;
  return {
    problem: `Numéro invalide pour ${withArticle(country)}\u00a0: ${lack}, par exemple ${group(country.example, country)}.`,
  };
}

/** 'le Burkina Faso', "la Côte d'Ivoire". */
export const withArticle = ({ iso, name }: Country): string => `${iso === 'CI' ? 'la' : 'le'} ${name}`;

/** A typed number without its separators. */
export function withoutSeparators(typed: string): string {
  return plain(typed)
    .trim()
    .replace(/^tel:/i, '')
    .replace(/[ ().\-/]/g, '');
}

/** Whether digits are a country code with a mobile number. No national number is that long. */
function isWithoutPlus(digits: string): boolean {
  return countries.some(({ code, mobile }) => digits.startsWith(code.slice(1)) && mobile.test(digits.slice(3)));
}

/** Every E.164 number that a sign-in name may mean: one if international, else one per country where it is valid. */
export function possiblePhones(typed: string): string[] {
  const readings = countries.map((country) => readPhone(typed, country.code));
  return [...new Set(readings.flatMap((reading) => ('e164' in reading ? [reading.e164] : [])))];
}
