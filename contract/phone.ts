export interface Country {
  /** The country calling code, as stored in `countryCode`. */
  code: string;
  iso: 'BF' | 'CI' | 'ML' | 'NE' | 'BJ' | 'TG' | 'SN';
  name: string;
  flag: string;
  /** Digits per group in a written national number. */
  groups: readonly number[];
  /** National mobile numbers. */
  mobile: RegExp;
  example: string;
}

/** The seven countries. Patterns from libphonenumber-js 1.13.16; `phone.test.ts` holds them equal to the library. */
export const countries: readonly Country[] = [
  {
    code: '+226',
    iso: 'BF',
    name: 'Burkina Faso',
    flag: '🇧🇫',
    groups: [2, 2, 2, 2],
    mobile: /^(?:0[1-7]|4[4-6]|5[0-8]|[67]\d)\d{6}$/,
    example: '70123456',
  },
  {
    code: '+225',
    iso: 'CI',
    name: "Côte d'Ivoire",
    flag: '🇨🇮',
    groups: [2, 2, 2, 2, 2],
    mobile: /^0[157]\d{8}$/,
    example: '0701234567',
  },
  {
    code: '+223',
    iso: 'ML',
    name: 'Mali',
    flag: '🇲🇱',
    groups: [2, 2, 2, 2],
    mobile: /^(?:2(?:0(?:01|79)|17\d)\d{4}|(?:5[0-3]|[679]\d|8[2-59])\d{6})$/,
    example: '65012345',
  },
  {
    code: '+227',
    iso: 'NE',
    name: 'Niger',
    flag: '🇳🇪',
    groups: [2, 2, 2, 2],
    mobile: /^(?:23|7[0467]|[89]\d)\d{6}$/,
    example: '93123456',
  },
  {
    code: '+229',
    iso: 'BJ',
    name: 'Bénin',
    flag: '🇧🇯',
    groups: [2, 2, 2, 2, 2],
    mobile: /^01(?:2[5-9]|[4-69]\d)\d{6}$/,
    example: '0197123456',
  },
  {
    code: '+228',
    iso: 'TG',
    name: 'Togo',
    flag: '🇹🇬',
    groups: [2, 2, 2, 2],
    mobile: /^(?:7[0-389]|9[0-36-9])\d{6}$/,
    example: '90112345',
  },
  {
    code: '+221',
    iso: 'SN',
    name: 'Sénégal',
    flag: '🇸🇳',
    groups: [2, 3, 2, 2],
    mobile: /^7(?:[015-8]\d|21|90)\d{6}$/,
    example: '771234567',
  },
];

export const countryCodes = ['+226', '+225', '+223', '+227', '+229', '+228', '+221'] as const;
export type CountryCode = (typeof countryCodes)[number];
export const defaultCountryCode: CountryCode = '+226';

export function findCountry(code: string): Country | undefined {
  return countries.find((country) => country.code === code);
}

/** The country of an E.164 number, or `undefined` outside the seven. */
export function countryOf(e164: string): Country | undefined {
  return countries.find((country) => e164.startsWith(country.code));
}

/** National digits of an E.164 number, for dial codes. */
export function nationalDigits(e164: string): string {
  return e164.slice(countryOf(e164)?.code.length ?? 0);
}

/** '+226 70 12 34 56', grouped as the country writes it; other text is unchanged. */
export function formatPhone(e164: string): string {
  const country = countryOf(e164);
  return country ? `${country.code} ${group(nationalDigits(e164), country)}` : e164;
}

/** '+226 XX XX XX 56': only the last two digits are shown. */
export function maskPhone(e164: string): string {
  const country = countryOf(e164);
  if (!country) return e164.replace(/.(?=..)/g, 'X');
  const national = nationalDigits(e164);
  return `${country.code} ${group('X'.repeat(Math.max(0, national.length - 2)) + national.slice(-2), country)}`;
}

/** 'XX XX XX XX' in the country's own grouping. */
export function phonePlaceholder(country: Country): string {
  return country.groups.map((size) => 'X'.repeat(size)).join(' ');
}

/** The digits of a national number in the country's own groups. */
export function group(national: string, country: Country): string {
  const starts = country.groups.map((_, index) => country.groups.slice(0, index).reduce((sum, size) => sum + size, 0));
  return country.groups
    .map((size, index) => national.slice(starts[index], (starts[index] ?? 0) + size))
    .filter(Boolean)
    .join(' ');
}
