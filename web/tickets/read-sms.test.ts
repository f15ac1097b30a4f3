import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paymentReferenceLength } from '#contract/tickets.ts';
import { readSms } from './read-sms.ts';

const root = path.resolve(import.meta.dirname, '../..');
const operators = path.join(root, 'server/features/payments/intake/operators');

/** The operators' messages of a payment, with what they say. */
const captured = readdirSync(operators, { recursive: true, encoding: 'utf8' })
  .filter((file) => /cases\/[^/]+\.txt$/.test(file))
  .map((file) => {
    const [text = '', said = ''] = readFileSync(path.join(operators, file), 'utf8').split('\n---\n');
    return { file, text, ...(JSON.parse(said) as { kind: string; reference?: string; gross?: number }) };
  })
  .filter(({ kind, reference }) => kind === 'payment' && reference !== undefined);

describe('an SMS that is pasted whole', () => {
  test('there are captured ones', () => expect(captured.length).toBeGreaterThan(20));

  test.each(captured)('of $file', ({ text, reference, gross }) => {
    expect(readSms(text)).toMatchObject({ reference: reference?.toUpperCase(), amount: gross });
  });

  test.each([
    [
      'Transfert de 1256250 FCFA reussi. ID: PP261128.1203.C44444. Nouveau solde 12 000',
      'PP261128.1203.C44444',
      1_256_250,
    ],
    [
      'Vous avez recu un paiement de 5 000 FCFA du numero 22670000012. Ref: SCH-2026-001. Trans ID: CI261128.1234.A00001',
      'CI261128.1234.A00001',
      5_000,
    ],
    [
      'Vous avez recu 2100.00 FCFA du 70000013,PERSONNE INVENTEE. Le solde de votre compte est de 28540.00 FCFA. Trans ID: PP261128.1015.60000013.',
      'PP261128.1015.60000013',
      2_100,
    ],
    [
      'Vous avez reçu 1 100,00 FCFA de PERSONNE INVENTEE. Numéro: 60000014 Date: 28-11-2026 09:16. TID: MMB261128000124. Solde: 16 100,00 FCFA.',
      'MMB261128000124',
      1_100,
    ],
    [
      'Vous avez recu 5000 FCFA de 2250100000016.\nVotre nouveau solde Moov money est de 19 900 FCFA.\nRef: 123456789',
      '123456789',
      5_000,
    ],
    [
      'Depot de 10.000 FCFA effectue par 94000017. Votre nouveau solde est 20.000 FCFA. ID : CI261128.1821.A00017.OFM MALI',
      'CI261128.1821.A00017',
      10_000,
    ],
    [
      'Paiement 2900F de PERSONNE INVENTEE (2290150000018) 2026-11-28 11:21:55 Frais:0F Solde:5022F ID:10947000018',
      '10947000018',
      2_900,
    ],
    [
      'Vous avez reçu un transfert de 50 000 F CFA de 770000019 sur votre compte Orange Money. Nouveau solde: 60000 FCFA. Ref: CI261128.1111.B00019. Merci',
      'CI261128.1111.B00019',
      50_000,
    ],
    [
      'Vous avez reçu 1.100F de Personne Inventée (70 00 00 20). Nouveau solde: 12.400F. ID de transaction: T_ABCD1234EFGH',
      'T_ABCD1234EFGH',
      1_100,
    ],
    [
      'Votre paiement de 5000.00 FCFA, Frais: 0.0 FCFA, Taxe: 0.0 FCFA a ACCEPTEUR EXEMPLE a ete effectue avec succes. Votre solde est de : 1000.00 FCFA. Trans id: MP260928.2225.45000003.',
      'MP260928.2225.45000003',
      5_000,
    ],
    [
      'Vous avez transfere 10000.00 FCFA, Frais: 0.0 FCFA au numero 70000013. Votre solde est de 5000.00 FCFA. ID Trans: PP260928.1945.60000005. Orange Money BF.',
      'PP260928.1945.60000005',
      10_000,
    ],
    [
      'Paiement effectue pour 10000 FCFA a ONAFRIQ UEMOA OUT le 2025-04-28 09:14:20. Frais 500 FCFA. Solde courant: 19618 FCFA. Reference: -. ID de la transaction: 9600000391. External id :12700000493.',
      '9600000391',
      10_000,
    ],
    [
      'Vous avez payé 14 574 FCFA a CEET (reference: 0100345678, exemple), le 24-05-24 06:14. Frais: 0 FCFA. Nouveau solde: 12 345 FCFA. Ref: 9800000210.',
      '9800000210',
      14_574,
    ],
    [
      "Vous avez envoyé 10 000 FCFA a l'abonne A EXEMPLE 2290168000081.Votre nouveau solde Moov Money est de 20 000 FCFA. Ref:123000000541.Appel gratuit",
      '123000000541',
      10_000,
    ],
    [
      'Paiement 500F a MTN BUNDLES 2025-11-15 22:21:49 Frais:0F Solde:4572F ID:10000000687 Ref:Frommessage',
      '10000000687',
      500,
    ],
    ['Transaction effectuée. Référence : T_46HS5COOWE', 'T_46HS5COOWE', undefined],
    ['Numéro de transaction 11000000098', '11000000098', undefined],
    ["C'est bon, j'ai payé : PP261128.1203.C44444 merci", 'PP261128.1203.C44444', undefined],
  ])('%s', (text, reference, amount) => {
    expect(readSms(text)).toEqual({ reference, amount });
  });

  test('of a Telecel or a Moov message without a label the known form is found, of its wallet alone', () => {
    expect(readSms('Transfert reussi DAT362O1CX merci de votre confiance', 'Moov Money').reference).toBe('DAT362O1CX');
    expect(readSms('Paiement fait 11000000098, merci de votre confiance', 'MTN MoMo').reference).toBe('11000000098');
    expect(readSms('Paiement fait 11000000098, merci de votre confiance', 'Wave').reference).toBeUndefined();
    // A number of Burkina Faso has as many digits.
    expect(readSms('Paiement fait au 22670000012, merci de votre confiance', 'MTN MoMo').reference).toBeUndefined();
  });

  test('of two payments none is chosen', () => {
    const [first, second] = ['PP260316.2147.19000001', 'PP260316.2150.19000002'];
    const text = `Vous avez recu 1,800.00 FCFA. Trans ID: ${first}. Vous avez recu 2,500.00 FCFA. Trans ID: ${second}.`;
    expect(readSms(text)).toEqual({ problem: 'several' });
    expect(readSms(`Trans ID: ${first}. Trans ID: ${first}.`).reference).toBe(first);
  });

  test.each(['La transaction a échoué. ID: PP240512.1302.B77005', 'Echec, solde insuffisant. Ref: 17900000998'])(
    'a failure is told: %s',
    (text) => expect(readSms(text)).toMatchObject({ reference: expect.any(String), isFailure: true }),
  );

  test.each([
    'Vous avez recu un depot de 5001 FCFA de 0700000015',
    'Vous avez transféré 250 FCFA, Frais: 0 FCFA, Taxe: 0 FCFA au numero 70000013,C EXEMPLE.',
    'Vous avez recu 1,800.00 FCFA du 57000011,AWA EXEMPLE. Le solde de votre compte est de 94271.9101 FCFA Trans ID:',
    'Bonjour, je vous ai envoyé l’argent hier soir depuis le numéro de ma sœur.',
    "j'ai payé hier",
    'Merci beaucoup',
    '500 F au 70000203',
    'ID: 12',
    '+++',
  ])('nothing is read in: %s', (text) => {
    expect(readSms(text)).toMatchObject({ problem: 'none' });
  });
});

describe('a reference that is typed', () => {
  test.each([
    ['T_46HS5COOWE', 'T_46HS5COOWE'],
    [' pp261122.1404.a12345 ', 'PP261122.1404.A12345'],
    ['PPA61122.1402.B77', 'PPA61122.1402.B77'],
    ['PP 261128 1203 C44444', 'PP2611281203C44444'],
    ['1100 0000 098', '11000000098'],
    ['Ref PP261128.1203.C44444', 'PP261128.1203.C44444'],
    ['ID: 11000000098', '11000000098'],
    ['SCH-2026-001', 'SCH-2026-001'],
    ['4711', '4711'],
    ['PP261128.1203.C44444.', 'PP261128.1203.C44444'],
  ])('%s is %s', (typed, reference) => {
    expect(readSms(typed)).toEqual({ reference });
  });

  test('nothing is an empty one, and no problem', () => {
    for (const typed of ['', '  ', '\n']) expect(readSms(typed)).toEqual({});
  });
});

test('whatever is pasted, what is read is a reference that the contract takes', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 12 }),
    fc.constantFrom('é', '\u00a0', '\u202f', '°', 'Ⅷ', '²', '½', '\u0000', '😀', '\ud83d'),
    fc.constantFrom(
      'Ref: ',
      'Trans ID ',
      'TID:',
      'ID: ',
      '5 000 FCFA',
      'PP261128.1203.C44444',
      '11000000098',
      'T_4',
      '\n',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { reference } = readSms(pieces.join(''), 'MTN MoMo');
      if (reference === undefined) return;
      expect(reference).toMatch(/^[A-Z0-9._/-]+$/);
      expect(reference).toMatch(/[A-Z0-9]/);
      expect(reference.length).toBeLessThanOrEqual(paymentReferenceLength);
    }),
  );
});
