import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideRoundingHalfUp, isPriceUnreadable, maximumAmount, parsePrice } from './money.ts';
import { parseTypedAmount } from './typed-amount.ts';

const narrowSpace = '\u202F';
const noBreakSpace = '\u00A0';
const inFrench = new Intl.NumberFormat('fr-FR');
const amount = fc.integer({ min: 1, max: maximumAmount });

test.each([
  [0, 10, 0],
  [4, 10, 0],
  [5, 10, 1],
  [14, 10, 1],
  [15, 10, 2],
  [1010 * 150, 10_000, 15],
  [1, 3, 0],
  [2, 3, 1],
])('rounding: %d ÷ %d is %d', (numerator, denominator, expected) => {
  expect(divideRoundingHalfUp(numerator, denominator)).toBe(expected);
});

describe('parsePrice', () => {
  test.each([
    ['À partir de 1 500 FCFA', 1500],
    [`À partir de 1${narrowSpace}500 FCFA`, 1500],
    [`1${noBreakSpace}500${noBreakSpace}F${noBreakSpace}CFA`, 1500],
    ['1.500 F', 1500],
    ['1,500 F', 1500],
    ['1500', 1500],
    ['10 000 000 F', 10_000_000],
    ['1 500,50 F', 1500],
    ['00500 F', 500],
    ['Forfait 7 jours : 1 000 FCFA', 1000],
    ['2 Go, 1 500 F', 1500],
    ['XOF500', 500],
    ['1 500 par mois', 1500],
    ['2 000 francs', 2000],
    ['500frs', 500],
    ['1 500 XOF', 1500],
    ['500/mois', 500],
    ["500 l'unité", 500],
    ['1000 et plus', 1000],
    ['Forfait jour - 500 F', 500],
    ['0,00 F', 0],
    // P8.9.
    ['gratuite', 0],
    [' GRATUIT pour tous', 0],
  ])('reads %j as %d', (text, expected) => {
    expect(parsePrice(text)).toBe(expected);
  });

  test.each([
    ['500 à 1 000 F', 500],
    ['500–1 000 FCFA', 500],
    ['De 500 F à 1 000 F', 500],
    ['500F-1000F', 500],
    ['500 F CFA — 1 000 F CFA', 500],
    ['500 francs à 1 000 francs la semaine', 500],
    [`1${narrowSpace}000 à 2${narrowSpace}000 FCFA`, 1000],
  ])('reads the lower end of the span %j', (text, expected) => {
    expect(parsePrice(text)).toBe(expected);
  });

  test.each([null, '', 'Non gratuit', 'Sur devis'])('finds no amount in %j', (text) => {
    expect(parsePrice(text)).toBeUndefined();
  });

  test.each([
    '15 000 000 FCFA',
    '9'.repeat(80),
    '-500 FCFA',
    '−500 F',
    '–500',
    'Remise de -1 500 F',
    'Gratuit avant -500 F',
    'entre 100 et 200 F',
    '2 x 500 F',
    '500F ou 1000F',
    '500 F et 1 000 F',
    '500F/1000F',
    '500 F, 1 000 FCFA',
    '1 000 F (au lieu de 1 500 F)',
    '500 F le jour, 3 000 F la semaine',
    '500 F 1000 F',
    'De 500 F à 1 000 F ou 2 000 F',
    'XOF 500 ou XOF 1000',
    'XOF 500, 1000 F',
    '1/2 F',
    '1 5000 F',
    '1e3',
    '0.99 F',
    '1,5 F',
    '5k',
    '2 millions FCFA',
    'Sur devis sous 48 h',
    'Gratuit 24h/24',
    '5 %',
    '$10',
    '٥٠٠ F',
    '½ F',
    '1٥00 F',
  ])('%j is unreadable', (text) => {
    expect(parsePrice(text)).toBeUndefined();
    expect(isPriceUnreadable(text)).toBe(true);
  });

  test('a number is an amount, or refused, whatever stands around it; never another amount, and never nothing', () => {
    const francs = fc.integer({ min: 1, max: 2 * maximumAmount });
    const around = fc.constantFrom(...'| |-|−|–|e|x|.|,5|,50|k| mille| F| FCFA| €|/'.split('|'));
    fc.assert(
      fc.property(around, francs, around, (before, given, after) => {
        const text = `${before}${given}${after}`;
        const read = parsePrice(text);
        if (read === undefined) expect(isPriceUnreadable(text), text).toBe(true);
        else expect([given, read <= maximumAmount], text).toEqual([read, true]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('reads back any whole number of francs as French writes it, and none that is negative', () => {
    const given = fc.oneof(amount, fc.integer({ min: 0, max: 20_000 }));
    fc.assert(
      fc.property(given, fc.constantFrom('', ' FCFA', ' F', `${noBreakSpace}CFA`), (francs, currency) => {
        expect(parsePrice(`${inFrench.format(francs)}${currency}`)).toBe(francs);
        expect(parsePrice(`À partir de ${inFrench.format(francs)}${currency}`)).toBe(francs);
        expect(parsePrice(`${francs}${currency}`)).toBe(francs);
        if (francs > 0) expect(parsePrice(`${inFrench.format(-francs)}${currency}`)).toBeUndefined();
      }),
    );
  });

  test('reads nothing but whole amounts in range, whatever the text', () => {
    const digitSoup = fc.string({ unit: fc.constantFrom(...'0159 .,-F\u202F\u00A0à') });
    fc.assert(
      fc.property(fc.oneof(digitSoup, fc.string({ unit: 'grapheme' })), (text) => {
        const read = parsePrice(text);
        if (read !== undefined) expect(Number.isInteger(read) && read >= 0 && read <= maximumAmount).toBe(true);
      }),
    );
  });

  test('takes no long time on a long text', () => {
    expect(parsePrice('1 '.repeat(50_000))).toBeUndefined();
    expect(parsePrice(`${'1 a '.repeat(50_000)}5 F`)).toBe(5);
    expect(parsePrice('100 '.repeat(20_000))).toBeUndefined();
  });
});

describe('parseTypedAmount', () => {
  test.each([
    ['1500', 1500],
    [`1${narrowSpace}500`, 1500],
    [`1${noBreakSpace}500 F${noBreakSpace}CFA`, 1500],
    ['1.500', 1500],
    ['1500 FCFA', 1500],
    ['10000000', 10_000_000],
    ['１ ５００', 1500],
    ['\u202a1\u2009500\u202c\ufe0f', 1500],
    ['1’500 Fr', 1500],
    ['1,500', 1500],
    ['XOF 1500', 1500],
    ['500 francs CFA.', 500],
  ])('reads %j as %d', (typed, expected) => {
    expect(parseTypedAmount(typed)).toBe(expected);
  });

  test.each([
    '',
    'abc',
    '0',
    '-500',
    '500-1000',
    '1.5',
    '1.5000',
    '1 500,50',
    '12,5',
    '10000001',
    '1٥00',
    '1e4',
    '1/2',
    '5k',
    '2x500',
    '$500',
    '500 €',
    '5O0',
    '1.500,000',
    '–500',
    '500 F 200',
    'environ 500',
  ])('refuses %j', (typed) => {
    expect(parseTypedAmount(typed)).toBeUndefined();
  });

  test('drops spaces and what nobody sees between digits, and refuses any other sign there (P7.4)', () => {
    const noise = fc.string({ unit: fc.constantFrom(...' \u202f\u00a0\u2009\u200b\u202a\u202c\ufe0f') });
    const sign = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(amount, noise, noise, sign, (francs, some, other, between) => {
        const digits = String(francs);
        expect(parseTypedAmount(`${some}${digits[0]}${other}${digits.slice(1)}${some}`)).toBe(francs);
        fc.pre(!/^[\d\s.,'’]$/.test(between));
        expect(parseTypedAmount(`${digits}${between}1`)).toBeUndefined();
      }),
    );
  });

  test('never reads a fraction, a negative or nothing at all, whatever is typed', () => {
    const digitSoup = fc.string({ unit: fc.constantFrom(...'0123456789.,-  F') });
    fc.assert(
      fc.property(fc.oneof(digitSoup, fc.string(), fc.double().map(String)), (typed) => {
        const read = parseTypedAmount(typed);
        if (read === undefined) return;
        expect(Number.isInteger(read) && read >= 1 && read <= maximumAmount).toBe(true);
        expect(typed).not.toContain('-');
      }),
    );
  });
});
