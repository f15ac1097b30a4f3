import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countries } from '#contract/phone.ts';
import {
  clockTextOf,
  headOf,
  plainName,
  readAmount,
  readCounterparty,
  readPaidAt,
  readReference,
} from './cell-values.ts';

test.each([
  ['1 500', 150_000],
  ['1\u202f500', 150_000],
  ['1.500', 150_000],
  ['1,500', 150_000],
  ['1 500,00 FCFA', 150_000],
  ['1.234.567,89', 123_456_789],
  ['1025,50', 102_550],
  ['0,500', 50],
  ['94271.9101', 9_427_191],
  ['-22000', -2_200_000],
  ['\t700 ', 70_000],
  [1500, 150_000],
  [0.1 + 0.2, 30],
  ['', null],
  ['-', null],
  [null, null],
  ['1.234.5', undefined],
  ['1e5', undefined],
  ['=1+1', undefined],
  ['deux mille', undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [true, undefined],
])('an amount: %j is %j hundredths', (cell, hundredths) => {
  expect(readAmount(cell)).toBe(hundredths);
});

describe('a date', () => {
  const read = (cell: string | number | Date, country: '+225' | '+229' | '+227' = '+225') =>
    readPaidAt(clockTextOf(cell), country)?.toISOString();

  test.each([
    ['Nov 9  2025  12:00:00 AM', '2025-11-09T00:00:00.000Z'],
    ['Nov 9  2025  12:30:05 PM', '2025-11-09T12:30:05.000Z'],
    ['2025-09-21T10:00:00.123+01:00', '2025-09-21T09:00:00.000Z'],
    ['\t23-10-2025 23:59:53', '2025-10-23T23:59:53.000Z'],
    ['03/04/2026 08:05', '2026-04-03T08:05:00.000Z'],
    [45_970 + 1 / 86_400, '2025-11-09T00:00:01.000Z'],
    [new Date('2025-11-09T10:04:59.999Z'), '2025-11-09T10:05:00.000Z'],
    ['31/11/2025 10:00', undefined],
    ['2025-09-21 24:00:00', undefined],
    ['Nov 9  2025  13:00:00 PM', undefined],
    ['1999-01-01 10:00', undefined],
    ['hier', undefined],
    [20_251_109, undefined],
    // No hour.
    [45_970, undefined],
    ['03/04/2026', undefined],
  ])('%j is %s', (cell, instant) => {
    expect(read(cell)).toBe(instant);
  });

  test('is on the clock of Benin and Niger an hour ahead, unless it names its zone', () => {
    expect(read('09/11/2025 23:30', '+229')).toBe('2025-11-09T22:30:00.000Z');
    expect(read('09/11/2025 00:30:00', '+227')).toBe('2025-11-08T23:30:00.000Z');
    expect(read('2025-11-09 23:30:00+00:00', '+229')).toBe('2025-11-09T23:30:00.000Z');
  });

  test('is the same as text and as a number of Excel', () => {
    const seconds = fc.integer({ min: Date.UTC(2000, 0, 2) / 1_000, max: Date.UTC(2099, 11, 31) / 1_000 });
    fc.assert(
      fc.property(seconds, (second) => {
        fc.pre(second % 86_400 !== 0);
        const written = new Date(second * 1_000).toISOString().slice(0, 19);
        const [year, month, day, clock] = written.split(/[-T]/);
        const instants = [written, `${day}/${month}/${year} ${clock}`, 25_569 + second / 86_400].map((each) =>
          read(each),
        );
        expect(new Set(instants)).toEqual(new Set([`${written}.000Z`]));
      }),
    );
  });
});

test.each([
  ['mp260403.1410.c50002..', 'MP260403.1410.C50002'],
  [' T_ABC ', 'T_ABC'],
  [13_461_537_629, '13461537629'],
  ['', null],
  ['1,34615E+10', undefined],
  ['A'.repeat(101), undefined],
])('the reference %j is %j', (cell, reference) => {
  expect(readReference(cell)).toBe(reference);
});

describe('the number of a payer', () => {
  test.each([
    ['2250700000002', '+225', '+2250700000002'],
    ['FRI:2250500000001/MSISDN', '+225', '+2250500000001'],
    ['+221 77 000 00 01', '+221', '+221770000001'],
    ['700000002', '+225', '+2250700000002'],
    ['197000001', '+229', '+2290197000001'],
    ['22370000001', '+225', '+22370000001'],
    ['07XXXX1234', '+225', '1234'],
    ['FRI:68712722/MM', '+225', null],
    ['MAX1234', '+225', null],
    ['Personne Inventée', '+225', null],
    ['', '+225', null],
  ] as const)('%j is %j: %j', (text, country, payer) => {
    expect(readCounterparty(text, country)).toBe(payer);
  });

  test('is found with its lost zero, and never with the name', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...countries),
        fc.string({ unit: fc.constantFrom(...'ABCDE É-') }),
        (country, name) => {
          const e164 = country.code + country.example;
          const code = country.code as '+225';
          expect(readCounterparty(String(Number(country.example)), code)).toBe(e164);
          expect(readCounterparty(`${name} ${e164} ${name}`, code)).toBe(e164);
        },
      ),
    );
  });
});

test('a title is the same in a wrong encoding, and a word without its case and accents', () => {
  expect(['NumÃ©ro de tÃ©lÃ©phone', '\ufeffNUMÉRO de  téléphone '].map(headOf)).toEqual(
    Array.from({ length: 2 }, () => headOf('Numéro de téléphone')),
  );
  expect(headOf('Numéro')).not.toBe(headOf('Montant'));
  expect(plainName(' Échec ')).toBe('echec');
});
