import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  instantOfReference,
  readFrancs,
  readHundredths,
  readInstant,
  readPayer,
  readTicketNumber,
} from './read-values.ts';

/** Francs with a sign between thousands. */
const grouped = (francs: number, sign: string) => String(francs).replace(/\B(?=(?:\d{3})+$)/g, sign);

test('however francs are grouped, they are the same', () => {
  const ways = fc.constantFrom(...['', ' ', '.', ','].flatMap((sign) => [[sign, ''], ...decimalsBeside(sign)]));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), ways, (francs, [sign = '', decimals = '']) => {
      const text = grouped(francs, sign) + decimals;
      expect(readFrancs(text)).toBe(francs);
      expect(readHundredths(text)).toBe(francs * 100);
    }),
  );
});

function decimalsBeside(sign: string): string[][] {
  return ['.0', '.00', ',0', ',00'].filter((each) => each[0] !== sign).map((each) => [sign, each]);
}

test.each([
  ['94271.9101', undefined, 9427191],
  ['1 025,50', undefined, 102550],
  ['100,000', undefined, 10000000],
  ['94271.910', '.', 9427191],
  ['271.910', '.', 27191],
  ['1,800.00', ',', undefined],
  ['99999999999999999', undefined, undefined],
] as const)('%s with the decimal sign %s is %s hundredths', (text, sign, hundredths) => {
  expect(readHundredths(text, sign)).toBe(hundredths);
});

test.each([
  ['1025.50', undefined],
  ['1.000', '.'],
  ['0', undefined],
  ['10 000 001', undefined],
] as const)('%s with the decimal sign %s is no amount paid', (text, sign) => {
  expect(readFrancs(text, sign)).toBeUndefined();
});

test.each([
  ['29/02/2028', '7:05', '+226', '2028-02-29T07:05:00.000Z'],
  ['3-4-26', '23:59:59', '+228', '2026-04-03T23:59:59.000Z'],
  ['2026-01-01', '00:30', '+229', '2025-12-31T23:30:00.000Z'],
  ['29/02/2026', '07:05', '+226', undefined],
  ['01/01/2026', '24:00', '+226', undefined],
  ['0001-01-01', '07:05', '+226', undefined],
] as const)('%s at %s in %s is %s', (date, time, country, instant) => {
  expect(readInstant(date, time, country)).toBe(instant);
});

test('a reference of Orange tells its minute, another one nothing', () => {
  expect(instantOfReference('MP260902.0128.19397304', '+226')).toBe('2026-09-02T01:28:00.000Z');
  expect(instantOfReference('MP261302.0128.19397304', '+226')).toBeUndefined();
  expect(instantOfReference('DAT362O1CX', '+226')).toBeUndefined();
});

test.each([
  ['70 00 00 11', '+22670000011'],
  ['22670000011', '+22670000011'],
  ['10000011', '10000011'],
  ['7xxxxx11', '11'],
  ['****1', undefined],
  ['70000013 12', undefined],
  ['+226 70 00 00 13 12', undefined],
  ['12 34 56', '123456'],
])('the payer %s is %s', (text, payer) => {
  expect(readPayer(text, '+226')).toBe(payer);
});

test.each([
  ['t123', 123],
  ['t-123/t123', 123],
  ['t12 t13', undefined],
  ['but123', undefined],
  ['t0', undefined],
  ['t2147483648', undefined],
])('%s names the ticket %s', (motif, number) => {
  expect(readTicketNumber(motif)).toBe(number);
});
