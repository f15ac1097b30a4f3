import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, foldLetters, searchedWords } from './fold.ts';
import { composed, opaque } from './shapes.ts';
import { plain } from './spelling.ts';

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' }));

describe('what a search compares', () => {
  test.each([
    ['Électricité', 'electricite'],
    ['E\u0301lectricite\u0301', 'electricite'],
    ['ＭＯＯＶ Ｍｏｎｅｙ', 'moov money'],
    ['Orange\u00a0Money', 'orange money'],
    ['Orange\u202fMoney\u2009\r\n\tBurkina ', 'orange money burkina'],
    ...[...'\u2010\u2011–—−\ufe63－'].map((sign) => [`Bobo${sign}Dioulasso`, 'bobo-dioulasso']),
    ...[..."'’‘ʼ`´′ʻ＇ꞌ"].map((sign) => [`N${sign}Guessan`, "n'guessan"]),
    ...['«', '»', '“', '”', '„', '″', '＂', '"'].map((sign) => [`${sign}Orange`, '"orange']),
    ['\u202aOuaga\u202c\u200b\u2060\ufeff', 'ouaga'],
    ['Sou\u00adma\u200dna\u034f', 'soumana'],
    ['❤\ufe0f', '❤'],
    ['Œuvre, cæcum', 'oeuvre, caecum'],
    ['ŉa', "'na"],
    ['ﬁn', 'fin'],
    ['ƆDƆ ΟΔΟΣ', 'ɔdɔ οδοσ'],
    ['', ''],
    ['\u200b \u00a0', ''],
  ])('of %j is %j', (written, folded) => {
    expect(fold(written)).toBe(folded);
  });

  test('is the same folded again, composed or not, in capitals or not', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(fold(fold(written))).toBe(fold(written));
        expect(fold(written.normalize('NFD'))).toBe(fold(written.normalize('NFC')));
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zàâçéèêëîïôûùœ' -]*$/), (written) => {
        expect(fold(written.toUpperCase())).toBe(fold(written));
      }),
    );
  });

  test('of each character is what it is alone, so that a place in it is one in the text', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect([...written].map(foldLetters).join('')).toBe(foldLetters(written));
      }),
    );
  });

  test.each([
    ['  Côte   d’Ivoire ', ['cote', "d'ivoire"]],
    ['Télécom → Orange → Crédit', ['telecom', 'orange', 'credit']],
    ['100 %', ['100']],
    ['%', ['%']],
    ['– →', ['-', '→']],
    [' \u200b ', []],
  ])('is the words of %j', (typed, words) => {
    expect(searchedWords(typed)).toEqual(words);
  });
});

test.each([
  ['１ ５００\u202fＦ', '1 500 F'],
  ['\u202a−500\u202c', '-500'],
  ['N°\u00a0123', 'N° 123'],
  ['awa＠exemple．bf', 'awa@exemple.bf'],
  ['Été ½ ٣ ²', 'Été ½ ٣ ²'],
])('what is read as it was typed: %j is %j', (typed, read) => {
  expect(plain(typed)).toBe(read);
});

describe('what is kept', () => {
  test.each([
    ['  Awa ', 'Awa'],
    ['\u202aTraore\u0301\u202c', 'Traoré'],
    ['\ufeff\u200bAwa\u00a0\r\n', 'Awa'],
    ['N’Guessan\u00a0Marie\u2011Claire  Zoé', 'N’Guessan\u00a0Marie\u2011Claire  Zoé'],
    ['Santé ❤\ufe0f', 'Santé ❤\ufe0f'],
    [' \u200e ', ''],
  ])('of %j is %j', (given, kept) => {
    expect(composed(given)).toBe(kept);
  });

  test('is canonically what was given but for its ends, and kept again as it is', () => {
    fc.assert(
      fc.property(text, (given) => {
        const kept = composed(given);
        expect(given.normalize('NFC')).toContain(kept);
        expect(composed(kept)).toBe(kept);
      }),
    );
  });
});

test.each([
  ['motdepasse', 'motdepasse'],
  ['ete\u0301 2026', 'eté 2026'],
  ['un\u00a0mot\u3000secret', 'un mot secret'],
  ['  bords  ', '  bords  '],
  ['Ｇ’ﬁ②', 'Ｇ’ﬁ②'],
])('the secret %j is %j, as RFC 8265 has it', (typed, secret) => {
  expect(opaque(typed)).toBe(secret);
});
