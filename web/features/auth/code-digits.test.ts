import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enterDigits, spreadCode } from './code-digits.ts';

/** '12__' are boxes with two digits. */
const boxes = (written: string) => [...written].map((each) => each.replace('_', ''));
const written = (code: string[]) => code.map((each) => each || '_').join('');

test.each<[what: string, before: string, box: number, typed: string, after: string, next: number]>([
  ['a digit', '____', 1, '0', '0___', 2],
  ['the last digit', '061_', 4, '6', '0616', 4],
  ['a digit behind one', '9___', 1, '91', '1___', 2],
  ['a digit before one', '9___', 1, '19', '1___', 2],
  ['the same digit again', '9___', 1, '99', '9___', 2],
  ['nothing: the box is emptied', '0616', 2, '', '0_16', 2],
  ['a letter', '06__', 3, 'a', '06__', 3],
  ['two digits at once', '____', 2, '61', '_61_', 4],
  ['three digits at once', '0___', 2, '616', '0616', 4],
  ['a suggestion in box 4', '____', 4, '0616', '0616', 4],
  ['a digit, then a suggestion', '9___', 2, '0616', '0616', 4],
  ['a suggestion behind the digit of its box', '9___', 1, '90616', '0616', 4],
  ['a suggestion before the digit of its box', '9___', 1, '06169', '0616', 4],
  ['a suggestion behind its own first digit', '0___', 1, '00616', '0616', 4],
  ['a suggestion for the digit of its box', '1234', 3, '0616', '0616', 4],
  ['a suggestion with dashes', '____', 3, '0-6-1-6', '0616', 4],
  ['a suggestion with its words', '____', 1, 'Guichet : 0616.', '0616', 4],
  ['Arabic digits', '____', 2, '٠٦١٦', '0616', 4],
  ['full-width digits', '____', 3, '０６１６', '0616', 4],
])('%s: %s, box %i gets %j', (_, before, box, typed, after, next) => {
  const entered = enterDigits(boxes(before), box - 1, typed);
  expect([written(entered.code), entered.next + 1]).toEqual([after, next]);
});

test.each([
  ['0616', '0616'],
  [' 06\u202f16 ', '0616'],
  ['\u200e0616\u200e', '0616'],
  ['06', '06__'],
  ['06161', '0616'],
  ['', '____'],
  ['code', '____'],
])('a pasted %j is %s', (text, after) => {
  expect(written(spreadCode(text))).toBe(after);
});

const code = fc.stringMatching(/^[0-9]{4}$/);
test('whatever stands in the boxes, each of them takes a whole code', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9_]{4}$/), fc.nat(3), code, (before, index, suggested) => {
      expect(written(enterDigits(boxes(before), index, suggested).code)).toBe(suggested);
    }),
  );
});

test('typed digit by digit, where the focus goes, a code is itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9_]{4}$/), code, (before, typed) => {
      let entered = { code: boxes(before), next: 0 };
      for (const each of typed)
        entered = enterDigits(entered.code, entered.next, (entered.code[entered.next] ?? '') + each);
      expect(written(entered.code)).toBe(typed);
    }),
  );
});
