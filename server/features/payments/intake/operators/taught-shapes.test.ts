import { expect, test } from 'vitest';
import type { CountryCode } from '#contract/phone.ts';
import { makeMessages } from '#server/testing/payment-messages.ts';
import { isSaidBy, mutateMessages } from '#server/testing/payment-mutations.ts';
import { guessPayment } from './guess-payment.ts';
import { type Confirmed, partsOf, TemplateRefusal, templateOf } from './make-template.ts';
import { openOperators } from './open-operators.ts';
import { readMessage } from './read-message.ts';
import { faultOfShape, openShapes } from './taught-shapes.ts';

const operators = openOperators();
const airtel = { country: '+227' as const, names: ['Airtel Money', null] };
const known = { operators, wallet: airtel, ignored: [] };

const text =
  'Vous avez reçu 5 000 FCFA de AWA EXEMPLE, numéro 90000011. Motif: T12 loyer. Nouveau solde: 12 345 FCFA. Le 28-11-2026 à 09:16. Txn ID: PP261128.0916.C00011. Code agent 4512.';
const confirmed: Confirmed = { ...guessPayment(text, '+227'), gross: 5_000 };
const teach = (of: string, by: Confirmed, country: CountryCode = '+227') => templateOf(partsOf(of, by, country));

test('a template is made of a text: what was confirmed and what else differs are placeholders, and the name is none of it', () => {
  expect(teach(text, confirmed)).toBe(
    'Vous avez reçu {montant} FCFA de {nom}, numéro {payeur}. Motif: {motif}. Nouveau solde: {solde} FCFA. Le {date} à {heure}. Txn ID: {reference}. Code agent {autre}.',
  );
});

test('it reads others of its shape, and nothing that was said of the first', () => {
  const shape = openShapes(operators, airtel, [{ id: 7, template: teach(text, confirmed) }]);
  const other =
    'Vous avez recu 12.500 F CFA de M. KOFFI DE SOUZA, numero 96 00 00 12\nMotif: T 99\nNouveau solde: 24.845 F. Le 29/11/2026 a 23:59:01. Txn ID: PP261129.2359.C00012. Code agent 77';
  expect(readMessage(other, { operators: [...operators, shape], country: '+227' })).toMatchObject({
    kind: 'payment',
    gross: 12_500,
    payer: '+22796000012',
    reference: 'PP261129.2359.C00012',
    balanceAfter: 2_484_500,
    ourReference: 99,
    paidAt: '2026-11-29T22:59:01.000Z',
    shapeId: 7,
    parser: 'apprise/7',
  });
  expect(faultOfShape({ template: teach(text, confirmed), text, confirmed }, known)).toBe(undefined);
});

test.each<[field: string, values: Partial<Confirmed>, country?: CountryCode]>([
  ['gross', { gross: 5_001 }],
  ['payer', { payer: '+22790000012' }],
  ['reference', { reference: 'PP261128.0916.C00012' }],
  ['balanceAfter', { balanceAfter: 1_234_600 }],
  ['name', { name: 'AWA EXEMPLAIRE' }],
])('a value that is not in the text is refused at its field: %s', (field, values) => {
  expect(() => teach(text, { ...confirmed, ...values })).toThrow(TemplateRefusal);
  expect(() => teach(text, { ...confirmed, ...values })).toThrow(expect.objectContaining({ field }));
});

const fault = (of: string, values: Confirmed, more = {}) =>
  faultOfShape({ template: teach(of, values), text: of, confirmed: values }, { ...known, ...more });

test('a shape that is too general is refused', () => {
  const vague = 'Recu 5000 F 90000011';
  expect(fault(vague, { gross: 5_000, payer: '+22790000011' })).toContain('trop générale');
  const nameless = 'Vous avez bien recu la somme de 5000 FCFA';
  expect(fault(nameless, { gross: 5_000 })).toContain('la référence ou du numéro');
});

test('a shape that does not read its own message back is refused', () => {
  const half = { ...confirmed, gross: 5_000, reference: undefined, balanceAfter: undefined };
  const template = 'Vous avez reçu {montant} FCFA de {payeur}';
  expect(faultOfShape({ template, text, confirmed: half }, known)).toContain('ne relit pas');
});

test('a shape that reads what is no payment, here or anywhere known, is refused', () => {
  const out = 'Cadeau de 5000 FCFA pour le 90000011,AWA EXEMPLE. ID Trans: PP261128.0916.60000011.';
  const values = { ...guessPayment(out, '+227'), gross: 5_000 };
  expect(fault(out, values)).toBe(undefined);
  expect(fault(out, values, { ignored: [out] })).toContain(
    "un message qui n'en est pas un\u00a0: «\u00a0Cadeau de 5000",
  );
  const wide = 'Retrait de {montant} FCFA effectue par {payeur}, le {date} {heure}. {reste}';
  const own = 'Retrait de 5 000 FCFA effectue par 90000011, le 28-11-26 09:16. Fin';
  expect(
    faultOfShape({ template: wide, text: own, confirmed: { gross: 5_000, payer: '+22790000011' } }, known),
  ).toContain("n'en est pas un");
});

test.each([
  'Vous avez transfere 5000 FCFA au numero 90000011. ID Trans: PP261128.0916.60000011.',
  'Votre retrait de 5000 FCFA chez 90000011 est fait. ID: PP261128.0916.60000011.',
])('a shape that says that money went out is refused: %s', (out) => {
  expect(fault(out, { ...guessPayment(out, '+227'), gross: 5_000 })).toContain("de l'argent est sorti");
});

test('a shape that would change what a known message says is refused', () => {
  const template =
    'Vous avez recu {autre} FCFA du {payeur},{nom}. Le solde de votre compte est de {montant} FCFA Trans ID: {reference}.';
  const own =
    'Vous avez recu 1 FCFA du 57000011,AWA. Le solde de votre compte est de 5000 FCFA Trans ID: PP260316.2147.19000001.';
  const values = { gross: 5_000, payer: '+22657000011', reference: 'PP260316.2147.19000001' };
  const wallet = { country: '+226' as const, names: ['Orange Money', null] };
  expect(faultOfShape({ template, text: own, confirmed: values }, { ...known, wallet })).toContain('lirait autrement');
});

test('where a built-in pattern reads the same, it is the one; where they differ, nobody knows', () => {
  const own =
    'Vous avez recu 1000 FCFA du 57000011,AWA. Le solde de votre compte est de 5000 FCFA Trans ID: PP260316.2147.19000001.';
  const wallet = { country: '+226' as const, names: ['Orange Money', null] };
  const by = (template: string) => {
    const shape = openShapes(operators, wallet, [{ id: 1, template }]);
    return readMessage(own, { operators: [...operators, shape], country: '+226' });
  };
  const rest = 'FCFA Trans ID: {reference}.';
  expect(
    by(`Vous avez recu {montant} FCFA du {payeur},{nom}. Le solde de votre compte est de {solde} ${rest}`),
  ).toEqual(readMessage(own, { operators, country: '+226' }));
  expect(
    by(`Vous avez recu {autre} FCFA du {payeur},{nom}. Le solde de votre compte est de {montant} ${rest}`),
  ).toEqual({
    kind: 'unread',
  });
});

test('a template that can no longer be read reads nothing, and hides no other', () => {
  const shape = openShapes(operators, airtel, [
    { id: 1, template: '{inconnu} FCFA' },
    { id: 2, template: teach(text, confirmed) },
  ]);
  expect(shape.messages.map(({ shapeId }) => shapeId)).toEqual([2]);
});

/** Shapes as a shop of each country teaches them: of a message of each synthetic shape, as if no pattern knew it. */
const taught = Object.values(
  Object.groupBy(makeMessages(3, { payments: 64, others: 0 }), ({ shape }) => shape),
).flatMap((messages, index) => {
  const [first] = messages ?? [];
  const [paid] = first?.told ?? [];
  if (!first || !paid) return [];
  const { country } = first;
  const values = { gross: paid.gross, reference: paid.reference?.toUpperCase(), payer: paid.payer ?? undefined };
  const { name } = guessPayment(first.text, country);
  const wallet = { country, names: [first.shape, null] };
  const template = teach(first.text, { ...values, name, balanceAfter: paid.balance ?? undefined }, country);
  return [{ country, shape: first.shape, reader: openShapes(operators, wallet, [{ id: index + 1, template }]) }];
});

test('taught shapes read most of their kind by themselves, and no changed message as what it does not say', () => {
  const readersOf = Map.groupBy(taught, ({ country }) => country);
  const read = ({ text: given, country, sender }: { text: string; country: CountryCode; sender: string }) =>
    readMessage(given, { operators: (readersOf.get(country) ?? []).map(({ reader }) => reader), country, sender });
  const alike = makeMessages(4, { payments: 320, others: 0 });
  expect(alike.filter((each) => read(each).kind === 'payment').length / alike.length).toBeGreaterThan(0.6);
  const wrong = [...mutateMessages(5, 2_000)].filter((mutant) => {
    const reading = read(mutant);
    return reading.kind === 'payment' && !isSaidBy(mutant, reading);
  });
  expect(wrong.map(({ how, text: given }) => `${how}: ${given}`)).toEqual([]);
});
