import { expect, test } from 'vitest';
import type { PaymentType } from '#contract/payment-types.ts';
import type { CountryCode } from '#contract/phone.ts';
import { keepPlaces, listPaymentOptions, type Payer } from './payment-notes.ts';

const type = (id: number, name: string, fields: Partial<PaymentType> = {}): PaymentType => ({
  id,
  name,
  pictureUrl: null,
  icon: null,
  operator: null,
  countries: [],
  isActive: true,
  dialTemplates: [],
  merchantCountries: [],
  refusesExamples: false,
  createdAt: '2026-11-21T14:02:00.000Z',
  updatedAt: '2026-11-21T14:02:00.000Z',
  ...fields,
});
const own = (
  template: string,
  state: 'unverified' | 'broken' = 'unverified',
  message: string | null = null,
  country: CountryCode = '+226',
) => ({ country, template, state, message });
const orange = type(1, 'Orange Money', {
  operator: 'Orange',
  dialTemplates: [own('*144*10*{marchand}*{montant}#'), own('#144#211*{montant}#', 'unverified', null, '+221')],
});
const moov = type(2, 'Moov Money', { operator: 'Moov', dialTemplates: [own('*555*4*1*{marchand}*{montant}#')] });
const wave = type(3, 'Wave');
const airtel = type(4, 'Airtel', { operator: 'Airtel', countries: ['+227'] });
const types = [airtel, moov, orange, wave];
const payer: Payer = { countryCode: '+226', phone: '', serviceTemplate: '*144*2*XX#', lastUsed: undefined };
const list = (change: Partial<Payer> = {}, of = types) => listPaymentOptions(of, { ...payer, ...change });
const names = (change: Partial<Payer> = {}, of = types) => list(change, of).map((each) => each.type.name);
const find = (name: string, change: Partial<Payer> = {}, of = types) =>
  list(change, of).find((each) => each.type.name === name);

test("P7.5, the service's own wallet comes first, then the last used and the payer's operator, last what has no code", () => {
  expect(names()).toEqual(['Orange Money', 'Moov Money', 'Wave']);
  expect(names({ lastUsed: 'Moov Money', phone: '+22660000000' })).toEqual(['Orange Money', 'Moov Money', 'Wave']);
  const ofNone = { serviceTemplate: null };
  expect(names(ofNone)).toEqual(['Moov Money', 'Orange Money', 'Wave']);
  expect(names({ ...ofNone, phone: '+22676000000' })).toEqual(['Orange Money', 'Moov Money', 'Wave']);
  expect(names({ ...ofNone, phone: '+22676000000', lastUsed: 'Moov Money' })[0]).toBe('Moov Money');
  expect(names({ ...ofNone, lastUsed: 'Wave' })).toEqual(['Moov Money', 'Orange Money', 'Wave']);
});

test('P7.5, types of other countries are not offered, but to a guest, whose country is unknown', () => {
  expect(names({ countryCode: '+227', serviceTemplate: null })).toContain('Airtel');
  expect(names()).not.toContain('Airtel');
  expect(list({ countryCode: '' })).toMatchObject(
    types.map(({ name }) => ({ type: { name }, isOther: false, sim: undefined, lack: undefined })),
  );
});

test("P8.10, a type says from which SIM its code is dialled, and that it has none rather than another's", () => {
  expect(find('Orange Money')).toMatchObject({ sim: 'Orange', isOther: false, lack: undefined });
  expect(find('Moov Money')).toMatchObject({ sim: 'Moov', isOther: false, lack: undefined });
  const none = { sim: undefined, isOther: true, lack: 'Wave\u00a0: pas de code pour ce service.' };
  expect(find('Wave')).toMatchObject(none);
  // Burkina's code is none in Senegal.
  expect(find('Orange Money', { countryCode: '+221', serviceTemplate: '*144*10*XX#' })).toMatchObject({
    sim: 'Orange',
    isOther: false,
  });
  expect(find('Moov Money', { countryCode: '+221', serviceTemplate: '*555*XX#' })).toMatchObject({ isOther: true });
});

test('where no type has a code none stands apart; a number to call is of every type, and of no SIM', () => {
  const bare = [wave, type(5, 'Coris')];
  expect(list({ serviceTemplate: null }, bare)).toMatchObject([
    { isOther: false, lack: 'Wave\u00a0: pas de code pour ce service.' },
    { isOther: false },
  ]);
  for (const option of list({ serviceTemplate: '70 12 34 56' }))
    expect(option).toMatchObject({ sim: undefined, isOther: false, lack: undefined });
});

test("P8.12, a broken code stands apart with the operator's message", () => {
  const broken = (message: string | null) => ({ ...moov, dialTemplates: [own('*555*4*1*XX#', 'broken', message)] });
  const all = (message: string | null) => [broken(message), orange];
  expect(names({ phone: '+22670123456' }, all(null))).toEqual(['Orange Money', 'Moov Money']);
  expect(find('Moov Money', {}, all('Moov Money est en panne.'))).toMatchObject({
    isOther: true,
    lack: 'Moov Money est en panne.',
  });
  expect(find('Moov Money', {}, all(null))?.lack).toBe('Moov Money\u00a0: son code est en panne.');
});

test('nothing moves once the screen is open: what is new comes last, what is gone keeps its place', () => {
  const opened = list({ serviceTemplate: null });
  const later = list({ lastUsed: 'Wave', phone: '+22676000000' }, [type(6, 'Coris'), orange, wave]);
  expect(keepPlaces(opened, later)).toMatchObject([
    { type: { name: 'Moov Money' }, isGone: true, isOther: false },
    { type: { name: 'Orange Money' }, isGone: false, isOther: false, sim: 'Orange' },
    { type: { name: 'Wave' }, isGone: false, isOther: true },
    { type: { name: 'Coris' }, isGone: false, isOther: true },
  ]);
});

test('P8.13, a code without its merchant number is an example, which a shop with an address refuses', () => {
  const example = (of: Partial<PaymentType>, change: Partial<Payer> = {}) =>
    find('Moov Money', { serviceTemplate: null, ...change }, [{ ...moov, ...of }])?.example;
  expect(example({})).toBe('given');
  expect(example({ refusesExamples: true })).toBe('refused');
  expect(example({ merchantCountries: ['+228'] })).toBe('given');
  expect(example({ merchantCountries: ['+226'] })).toBeUndefined();
  const typed = { serviceTemplate: '*555*00000000*XX#' };
  expect(example({ merchantCountries: ['+226'], refusesExamples: true }, typed)).toBe('refused');
  expect(example({ dialTemplates: [] })).toBeUndefined();
});
