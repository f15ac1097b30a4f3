import { hoursAhead } from '#contract/country-clock.ts';
import { maximumAmount } from '#contract/money.ts';
import type { CountryCode } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';

type DecimalSign = '.' | ',';

const thousands = /^\d{1,3}(?:([ .,])\d{3})(?:\1\d{3})*$/;
const written = {
  '.': /^(\d{1,3}(?:([ ,])\d{3})(?:\2\d{3})*|\d+)(?:\.(\d+))?$/,
  ',': /^(\d{1,3}(?:([ .])\d{3})(?:\2\d{3})*|\d+)(?:,(\d+))?$/,
};

/**
 * A written amount in hundredths of a franc, further digits cut; undefined for no amount. '1.500' and '100,000' are thousands, unless the
 * operator's decimal sign is known to be that one.
 */
export function readHundredths(text: string, sign?: DecimalSign): number | undefined {
  const [whole, decimals] = partsOf(text, sign) ?? [];
  if (whole === undefined || decimals === undefined) return undefined;
  const hundredths = Number(whole) * 100 + Number(`${decimals}00`.slice(0, 2));
  return Number.isSafeInteger(hundredths) ? hundredths : undefined;
}

/** A written amount of whole CFA francs, from 1 to `maximumAmount`; undefined for another one, or with centimes. */
export function readFrancs(text: string, sign?: DecimalSign): number | undefined {
  const [whole, decimals = ''] = partsOf(text, sign) ?? [];
  const francs = Number(whole);
  return /^0{0,2}$/.test(decimals) && francs >= 1 && francs <= maximumAmount ? francs : undefined;
}

function partsOf(text: string, sign?: DecimalSign): [whole: string, decimals: string] | undefined {
  const grouped = !sign && thousands.test(text);
  const found = grouped
    ? [text, text]
    : sign
      ? written[sign].exec(text)
      : (written['.'].exec(text) ?? written[','].exec(text));
  return found ? [(found[1] ?? '').replace(/\D/g, ''), found[3] ?? ''] : undefined;
}

/** The instant of a date (day first, or ISO) and a time on a country's clock, in ISO 8601; undefined for an impossible one. */
export function readInstant(date: string, time: string, country: CountryCode): string | undefined {
  const numbers = date.split(/[/-]/);
  const [year = '', month = '', day = ''] = date.indexOf('-') === 4 ? numbers : numbers.toReversed();
  const [hours = '', minutes = '', seconds = '0'] = time.split(':');
  const pad = (text: string) => text.padStart(2, '0');
  const local = `${year.padStart(4, '20')}-${pad(month)}-${pad(day)}T${pad(hours)}:${pad(minutes)}:${pad(seconds)}.000Z`;
  const clock = new Date(local);
  if (!(clock.getUTCFullYear() >= 2000) || clock.toISOString() !== local) return undefined;
  return new Date(clock.getTime() - hoursAhead(country) * 3_600_000).toISOString();
}

/** The minute that Orange writes in its references (XXyymmdd.HHMM.…); undefined for another reference. */
export function instantOfReference(reference: string, country: CountryCode): string | undefined {
  const [, year, month, day, hours, minutes] = /^[A-Z]{2}(\d\d)(\d\d)(\d\d)\.(\d\d)(\d\d)\./.exec(reference) ?? [];
  return year && readInstant(`20${year}-${month}-${day}`, `${hours}:${minutes}`, country);
}

/**
 * A payer's number in E.164; else its digits if at least 4; of a masked one the last digits. Undefined for fewer than 2, and for a number
 * with more digits after it.
 */
export function readPayer(text: string, country: CountryCode): string | undefined {
  if (/[*x]/.test(text)) return /\d{2,}$/.exec(text.replace(/[ .-]/g, ''))?.[0];
  const reading = readPhone(text, country);
  if ('e164' in reading) return reading.e164;
  const digits = text.replace(/\D/g, '');
  const groups = text.trim().split(/[ .-]/);
  const isFollowed = groups.some((_, end) => 'e164' in readPhone(groups.slice(0, end).join(''), country));
  return !isFollowed && digits.length >= 4 ? digits : undefined;
}

/** The ticket that a payer names ('T123', 't 123', 'T-123'); undefined for none, or more than one. */
export function readTicketNumber(motif: string): number | undefined {
  const numbers = [...motif.matchAll(/(?<![a-z0-9])t[ -]?(\d{1,10})(?![a-z0-9])/g)].map((found) => Number(found[1]));
  const [number = 0] = numbers;
  return number >= 1 && number <= 2147483647 && numbers.every((each) => each === number) ? number : undefined;
}
