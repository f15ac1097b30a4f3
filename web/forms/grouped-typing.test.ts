import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countries, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { parseTypedAmount } from '#contract/typed-amount.ts';
import { groupAmount, groupPhone, phoneText } from './grouped-typing.ts';

/** Parses '70 1|2' as a text with its caret. */
function typing(drawn: string) {
  return { text: drawn.replace('|', ''), caret: drawn.indexOf('|') };
}
const draw = (text: string, caret: number) => `${text.slice(0, caret)}|${text.slice(caret)}`;

/** The text of the field after each key, typed at its end. */
function typeAll(keys: string, code: string) {
  let typed = { code, number: '' };
  for (const key of keys) {
    const text = typed.number + key;
    typed = groupPhone({ text, caret: text.length }, typed.code);
  }
  return { code: typed.code, number: typed.number };
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
const country = fc.constantFrom(...countries);
const mobile = country.chain((each) =>
  fc.stringMatching(each.mobile).map((national) => ({ country: each, national, e164: each.code + national })),
);

describe('an amount is grouped in threes', () => {
  test.each([
    ['|', '|'],
    ['5000|', '5 000|'],
    ['25 000|0', '250 00|0'],
    ['12 34|5 678', '12 34|5 678'],
    ['1|2345', '1|2 345'],
    [' 5 000 |', '5 000|'],
    ['5\u202f000|', '5 000|'],
  ])('%s becomes %s', (before, after) => {
    const { text, caret } = groupAmount(typing(before));
    expect(draw(text, caret)).toBe(after);
  });

  test('no digit is changed, none goes past the caret, and the amount is read as before', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789 '), maxLength: 14 });
    fc.assert(
      fc.property(typed, fc.nat(), (text, place) => {
        const caret = place % (text.length + 1);
        const grouped = groupAmount({ text, caret });
        expect(digitsOf(grouped.text)).toBe(digitsOf(text));
        expect(digitsOf(grouped.text.slice(0, grouped.caret))).toBe(digitsOf(text.slice(0, caret)));
        expect(parseTypedAmount(grouped.text)).toBe(parseTypedAmount(text));
        expect(groupAmount(grouped)).toEqual(grouped);
      }),
    );
  });
});

describe('a phone number is grouped as its country writes it', () => {
  test.each([
    'tel:+226-70-12-34-56',
    '\u202a+226 70 12 34 56\u202c',
    '＋226 ７０ 12 34 56',
    '00226\u201170−12−34\u20115\ufe0f6',
    '70/12/34\u034f56',
  ])('%j is read as it is pasted', (text) => {
    expect(groupPhone({ text, caret: text.length }, '+226')).toEqual({
      code: '+226',
      number: '70 12 34 56',
      caret: 11,
    });
  });

  test.each([
    ['+226', '701|', '70 1|'],
    ['+225', '07012|34567', '07 01 2|3 45 67'],
    ['+221', '771234567|', '77 123 45 67|'],
    ['+226', '70 |11', '70| 11'],
    ['+226', '70-11.22(33)|', '70 11 22 33|'],
    ['+226', '70 11 22 33 4|', '70 11 22 33 4|'],
    ['+226', '\u206870\u00a011\u2069|', '70 11|'],
  ])('of %s, %s becomes %s', (code, before, after) => {
    const grouped = groupPhone(typing(before), code);
    expect(grouped.code).toBe(code);
    expect(draw(grouped.number, grouped.caret)).toBe(after);
  });

  test.each(['+2250701234567', '+225 07 01 23 45 67', '002250701234567', '2250701234567', '225 07 01 23 45 67'])(
    '%s, typed or pasted, brings its country along',
    (text) => {
      const ivorian = { code: '+225', number: '07 01 23 45 67' };
      expect(groupPhone({ text, caret: text.length }, '+226')).toMatchObject({ ...ivorian, caret: 14 });
      expect(typeAll(text, '+226')).toEqual(ivorian);
    },
  );

  test.each(['+', '+2', '+22', '0', '00', '0022', '+33 6 12', '0033612', '٧٠١٢', '70a'])(
    '%s stays as it is, and another country is not made of it',
    (text) => {
      expect(groupPhone({ text, caret: 1 }, '+226')).toEqual({ code: '+226', number: text, caret: 1 });
    },
  );

  test('whatever is typed, no digit is changed or lost, and none goes past the caret', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789 '), maxLength: 18 });
    fc.assert(
      fc.property(country, typed, fc.nat(), ({ code }, text, place) => {
        const caret = place % (text.length + 1);
        const grouped = groupPhone({ text, caret }, code);
        const lead = digitsOf(text).length - digitsOf(grouped.number).length;
        // The removed digits are the code of the new country.
        expect(digitsOf(text).slice(0, lead).replace(/^00/, '')).toBe(lead > 0 ? grouped.code.slice(1) : '');
        expect(digitsOf(grouped.number)).toBe(digitsOf(text).slice(lead));
        expect(digitsOf(grouped.number.slice(0, grouped.caret))).toBe(digitsOf(text.slice(0, caret)).slice(lead));
      }),
      { numRuns: 500 },
    );
  });

  test('a number typed key by key, in any form, is read as it was meant', () => {
    fc.assert(
      fc.property(mobile, country, fc.nat(3), ({ national, e164, country: of }, chosen, form) => {
        const [written = '', code] = [
          [national, of.code],
          [e164, chosen.code],
          [`00${e164.slice(1)}`, chosen.code],
          [formatPhone(e164), chosen.code],
        ][form] as [string, string];
        const typed = typeAll(written, code);
        expect(typed.code).toBe(of.code);
        expect(readPhone(phoneText(typed), '+226')).toEqual({ e164 });
        expect(phoneText(typed)).toBe(formatPhone(e164));
      }),
    );
  });
});

test('what was typed is told with its country, unless it says one itself or is nothing', () => {
  expect(phoneText({ code: '+225', number: '07 01' })).toBe('+225 07 01');
  expect(phoneText({ code: '+225', number: '+33 6' })).toBe('+33 6');
  expect(phoneText({ code: '+225', number: '0033 6' })).toBe('0033 6');
  expect(phoneText({ code: '+225', number: ' ' })).toBe('');
});
