import fc from 'fast-check';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import {
  type Country,
  countries,
  countryCodes,
  countryOf,
  findCountry,
  formatPhone,
  maskPhone,
  phonePlaceholder,
} from './phone.ts';
import { possiblePhones, readPhone } from './read-phone.ts';

const length = (country: Country) => country.groups.reduce((sum, size) => sum + size, 0);

/** Whether the reference library accepts an E.164 number as mobile. */
function isMobileToTheLibrary(e164: string): boolean {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed?.isValid() || parsed.number !== e164) return false;
  return ['MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(parsed.getType() ?? '');
}

const isAccepted = (typed: string, code: string) => 'e164' in readPhone(typed, code);

const country = fc.constantFrom(...countries);
/** A valid mobile number of one of the seven countries, in E.164. */
const mobile = country.chain((each) =>
  fc.stringMatching(each.mobile).map((national) => ({ country: each, national, e164: each.code + national })),
);

describe('the seven countries', () => {
  test.each(countries)('$name: its example is a number the library knows, grouped to its length', (each) => {
    expect(isMobileToTheLibrary(each.code + each.example)).toBe(true);
    expect(each.example).toHaveLength(length(each));
    expect(phonePlaceholder(each).replaceAll(' ', '')).toBe('X'.repeat(length(each)));
    expect(findCountry(each.code)).toBe(each);
    expect(countryOf(each.code + each.example)).toBe(each);
    expect(isSupportedCountry(each.iso)).toBe(true);
  });

  // National plans differ within the first four digits at most; the property below checks longer prefixes.
  test.each(countries)(
    '$name: every prefix of four digits is mobile to us exactly when it is to the library',
    (each) => {
      const tail = '123456'.slice(0, length(each) - 4);
      const wrong: string[] = [];
      for (let prefix = 0; prefix < 10_000; prefix += 1) {
        const national = String(prefix).padStart(4, '0') + tail;
        if (isAccepted(national, each.code) !== isMobileToTheLibrary(each.code + national)) wrong.push(national);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('any number of any length is accepted exactly when the library says it is a valid mobile one', () => {
    const national = country.chain((each) => {
      const size = length(each);
      const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: size - 2, maxLength: size + 2 });
      const nearlyRight = fc
        .tuple(fc.stringMatching(each.mobile), fc.nat(9), fc.nat(size - 1))
        .map(([valid, digit, at]) => {
          return valid.slice(0, at) + digit + valid.slice(at + 1);
        });
      return fc.tuple(fc.constant(each), fc.oneof(digits, nearlyRight));
    });
    fc.assert(
      fc.property(national, ([each, digits]) => {
        const expected = isMobileToTheLibrary(each.code + digits);
        expect(isAccepted(`${each.code}${digits}`, '+226')).toBe(expected);
        if (!digits.startsWith('00')) expect(isAccepted(digits, each.code)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('reading a phone number', () => {
  test.each([
    ['70 12 34 56', '+226', '+22670123456'],
    ['+226 70 12 34 56', '+221', '+22670123456'],
    ['0022670123456', '+225', '+22670123456'],
    [' 00 226 70.12.34.56', '+226', '+22670123456'],
    ['77 123 45 67', '+221', '+221771234567'],
  ])('%j typed under %s is %s', (typed, code, e164) => {
    expect(readPhone(typed, code)).toEqual({ e164 });
  });

  test.each([
    ['', '+226'],
    ['awa@exemple.bf', '+226'],
    ['+226 +70123456', '+226'],
    ['27 20 12 34 56', '+225'],
    ['70123456', '+33'],
    ['70123456', ''],
    ['+', '+226'],
  ])('%j typed under %s is refused with a French sentence', (typed, code) => {
    expect(readPhone(typed, code)).toEqual({ problem: expect.stringMatching(/\S{3,}.*[.?]$/) });
  });

  test.each([
    ['+226', 'le Burkina Faso'],
    ['+225', "la Côte d'Ivoire"],
    ['+223', 'le Mali'],
    ['+227', 'le Niger'],
    ['+229', 'le Bénin'],
    ['+228', 'le Togo'],
    ['+221', 'le Sénégal'],
  ])('a wrong number of %s is one for %s', (code, country) => {
    expect(readPhone('1', code)).toEqual({
      problem: expect.stringMatching(`^Numéro invalide pour ${country}\u00a0: \\d+\u00a0chiffres, par exemple `),
    });
  });

  test.each([
    [
      '27 20 12 34 56',
      '+225',
      "Numéro invalide pour la Côte d'Ivoire\u00a0: ce n'est pas un mobile, par exemple 07 01 23 45 67.",
    ],
    [
      '25 30 12 34',
      '+226',
      "Numéro invalide pour le Burkina Faso\u00a0: ce n'est pas un mobile, par exemple 70 12 34 56.",
    ],
  ])('%s under %s, a fixed line, is not told its number of digits', (typed, code, problem) => {
    expect(readPhone(typed, code)).toEqual({ problem });
  });

  test('a number of any other country is refused, whichever country is selected', () => {
    const other = fc
      .string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 14 })
      .map((digits) => `+${digits}`)
      .filter((e164) => !countryCodes.some((code) => e164.startsWith(code)));
    fc.assert(
      fc.property(other, fc.constantFrom(...countryCodes), (e164, selected) => {
        expect(isAccepted(e164, selected)).toBe(false);
        expect(countryOf(e164)).toBeUndefined();
      }),
    );
  });

  test('a Benin number from before 2024-11-30 is refused with its new form proposed, which is then accepted', () => {
    const benin = countries.find((each) => each.iso === 'BJ') as Country;
    fc.assert(
      fc.property(fc.stringMatching(benin.mobile), (national) => {
        const old = national.slice(2);
        for (const [typed, code] of [[old, '+229'] as const, [`00229 ${old}`, '+226'] as const]) {
          const reading = readPhone(typed, code);
          const proposal =
            'problem' in reading ? /vouliez-vous dire ([\d ]+) \?/.exec(reading.problem)?.[1] : undefined;
          expect(readPhone(proposal ?? '', '+229')).toEqual({ e164: benin.code + national });
        }
      }),
    );
  });

  test('spaces, dots, dashes and the 00 prefix change nothing', () => {
    const separators = fc.array(fc.constantFrom('', '', ' ', '.', '-', '\u202F', '\u00A0', '  '), {
      minLength: 20,
      maxLength: 20,
    });
    fc.assert(
      fc.property(mobile, separators, (given, between) => {
        const spaced = (digits: string) => [...digits].map((digit, index) => digit + between[index]).join('');
        expect(readPhone(spaced(given.national), given.country.code)).toEqual({ e164: given.e164 });
        expect(readPhone(`+${spaced(given.e164.slice(1))}`, '+226')).toEqual({ e164: given.e164 });
        expect(readPhone(`00${spaced(given.e164.slice(1))}`, '+226')).toEqual({ e164: given.e164 });
      }),
    );
  });
});

describe('writing a phone number', () => {
  test.each([
    ['+22670123456', '+226 70 12 34 56', '+226 XX XX XX 56'],
    ['+2250701234567', '+225 07 01 23 45 67', '+225 XX XX XX XX 67'],
    ['+2290197123456', '+229 01 97 12 34 56', '+229 XX XX XX XX 56'],
    ['+221771234567', '+221 77 123 45 67', '+221 XX XXX XX 67'],
    ['+33612345678', '+33612345678', 'XXXXXXXXXX78'],
  ])('%s is shown as %s and masked as %s', (e164, shown, masked) => {
    expect(formatPhone(e164)).toBe(shown);
    expect(maskPhone(e164)).toBe(masked);
  });

  test('a mask shows the last two digits and the grouping, nothing else', () => {
    fc.assert(
      fc.property(mobile, (given) => {
        const masked = maskPhone(given.e164);
        expect(masked.startsWith(`${given.country.code} `)).toBe(true);
        const national = masked.slice(given.country.code.length + 1);
        expect(national.replace(/\D/g, '')).toBe(given.national.slice(-2));
        expect(national.replace(/\d/g, 'X')).toBe(phonePlaceholder(given.country));
      }),
    );
  });
});

describe('what people type', () => {
  test.each([
    ['Arabic digits', '٧٠١١٢٢٣٣'],
    ['mathematical digits', '𝟕0112233'],
    ['letters', '70 11 22 3O'],
    ['Cyrillic letters', '70112233а'],
    ['a comma', '70,112233'],
    ['two pluses', '+226+22670112233'],
    ['a star', '*70112233#'],
  ])('%s is refused, and never left out', (_, typed) => {
    for (const code of countryCodes)
      expect(readPhone(typed, code)).toEqual({ problem: 'Numéro de téléphone invalide.' });
    expect(possiblePhones(typed)).toEqual([]);
  });

  test.each([
    '\u202a+226 70 11 22 33\u202c',
    '70–11–22–33',
    '7\ufe0d0\ufe0f11\u034f22\u00ad33',
    '＋２２６ ７０ １１ ２２ ３３',
    '（＋226）70．11／22／33',
    'tel:+226-70-11-22-33',
    'TEL: 0022670112233',
    '\ufeff70/11/22/33\r\n',
    '22670112233',
    '(+226) 70.11.22.33',
  ])('%j is read whatever keyboard, contact list or link wrote it', (typed) => {
    expect(readPhone(typed, '+226')).toEqual({ e164: '+22670112233' });
    expect(possiblePhones(typed)).toContain('+22670112233');
  });

  test.each(['tel:', 'tel:abc', '70112233 tel:', 'callto:70112233', 'tel:tel:70112233', '70112233;ext=1'])(
    '%j is no number',
    (typed) => expect(possiblePhones(typed)).toEqual([]),
  );

  test('whatever is read, its digits are those that were typed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        mobile,
        fc.nat(12),
        (noise, { national, country: { code } }, place) => {
          const typed = national.slice(0, place) + noise + national.slice(place);
          const reading = readPhone(typed, code);
          if (!('e164' in reading)) return;
          const spelt = typed.normalize('NFKC');
          expect(
            reading.e164.endsWith(
              spelt
                .replace(/[^0-9]/g, '')
                .replace(/^00/, '')
                .slice(-national.length),
            ),
          ).toBe(true);
          expect(typed).not.toMatch(/[\p{L}\p{Nl}\p{No}]|(?![0-9０-９])\p{Nd}/u);
        },
      ),
    );
  });
});
