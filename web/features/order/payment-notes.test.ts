import { expect, test } from 'vitest';
import type { PaymentType } from '#contract/payment-types.ts';
import { listPaymentOptions, type Payer } from './payment-notes.ts';

const type = (name: string, fields: Partial<PaymentType> = {}): PaymentType => ({
  id: name.length,
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
const own = (template: string, state: 'unverified' | 'broken' = 'unverified', message: string | null = null) => ({
  dialTemplates: [{ country: '+226' as const, template, state, message }],
});
const orange = type('Orange Money', { operator: 'Orange', ...own('*144*10*{marchand}*{montant}#') });
const moov = type('Moov Money', { operator: 'Moov', ...own('*555*4*1*{marchand}*{montant}#') });
const wave = type('Wave');
const airtel = type('Airtel', { operator: 'Airtel', countries: ['+227'] });
const types = [airtel, moov, orange, wave];
const payer: Payer = { countryCode: '+226', phone: '', serviceTemplate: '*144*2*XX#', lastUsed: undefined };
const names = (change: Partial<Payer>, of = types) =>
  listPaymentOptions(of, { ...payer, ...change }).map((each) => each.type.name);
const find = (name: string, change: Partial<Payer> = {}, of = types) =>
  listPaymentOptions(of, { ...payer, ...change }).find((each) => each.type.name === name);

test("what one used last comes first, then the payer's operator; what has no code here comes last", () => {
  expect(names({})).toEqual(['Moov Money', 'Orange Money', 'Wave', 'Airtel']);
  expect(names({ phone: '+22676000000' })).toEqual(['Orange Money', 'Moov Money', 'Wave', 'Airtel']);
  expect(names({ phone: '+22676000000', lastUsed: 'Moov Money' })[0]).toBe('Moov Money');
  expect(names({ lastUsed: 'Wave' })).toEqual(['Moov Money', 'Orange Money', 'Wave', 'Airtel']);
});

test("the chosen type says from which SIM its code is dialled, never another's", () => {
  expect(find('Orange Money')).toMatchObject({ warning: undefined, note: 'Depuis votre SIM Orange' });
  expect(find('Moov Money')).toMatchObject({ warning: undefined, note: 'Depuis votre SIM Moov' });
  expect(find('Wave')).toMatchObject({
    warning: 'Sans code pour ce service',
    note: "Wave n'a pas de code à composer ici. Le code de ce service se compose depuis une SIM Orange.",
  });
});

test('a type without a code says that an agent takes over; a call to a number names no SIM', () => {
  expect(find('Wave', { serviceTemplate: null })).toMatchObject({
    warning: undefined,
    note: 'Sans code à composer. Un agent traitera votre demande.',
  });
  expect(find('Orange Money', { serviceTemplate: '70 12 34 56' })).toMatchObject({
    warning: undefined,
    note: undefined,
  });
});

test("a broken code warns with the operator's message, and comes last", () => {
  const broken = { ...moov, ...own('*555*4*1*{marchand}*{montant}#', 'broken', 'Moov Money est en panne.') };
  const all = [broken, orange];
  expect(names({ phone: '+22670123456' }, all)).toEqual(['Orange Money', 'Moov Money']);
  expect(find('Moov Money', {}, all)).toMatchObject({
    warning: 'Code en panne',
    note: 'Moov Money est en panne. Le code de ce service se compose depuis une SIM Orange.',
  });
  expect(find('Moov Money', { serviceTemplate: null }, all)).toMatchObject({
    warning: 'Code en panne',
    note: 'Moov Money est en panne. Un agent traitera votre demande.',
  });
});

test('an answer that an earlier version kept on the phone is drawn', () => {
  const { dialTemplates: _, ...old } = orange;
  expect(listPaymentOptions([old as PaymentType], payer)).toHaveLength(1);
});
