import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountryCode, countries } from '#contract/phone.ts';
import { openOperators } from './open-operators.ts';
import { fold } from './patterns.ts';
import { readMessage, readOutgoing } from './read-message.ts';

const folder = import.meta.dirname;
const operators = openOperators();
const messages = operators.flatMap((operator) => operator.messages.map((message) => ({ ...message, operator })));

const cases = globSync('*/cases/*.txt', { cwd: folder }).map((file) => {
  const [text = '', expected = ''] = readFileSync(path.join(folder, file), 'utf8').split('\n---\n');
  const wallet = path.dirname(path.dirname(file));
  const country = countries.find(({ iso }) => wallet.endsWith(`-${iso.toLowerCase()}`))?.code as
    | CountryCode
    | undefined;
  return { name: file.replace('/cases/', ' : ').replace('.txt', ''), text, country, expected: JSON.parse(expected) };
});
const payments = cases.filter(({ expected }) => expected.kind === 'payment');
const anyPayment = fc.constantFrom(...payments);

test.each(cases)('$name', ({ text, country, expected }) => {
  const { why, ...read } = readMessage(text, { operators, country });
  expect(read).toEqual(expected);
  expect(why !== undefined).toBe(expected.kind === 'ignored');
  expect(readMessage(text, { operators }).kind).toBe(expected.kind);
});

test.each([...new Map(messages.map((message) => [message.parser, message])).values()])(
  '$parser is proven by two cases',
  ({ parser }) => {
    expect(cases.filter(({ expected }) => expected.parser === parser).length).toBeGreaterThanOrEqual(2);
  },
);

test.each(payments)('no name stays of $name', ({ text, country }) => {
  const read = JSON.stringify(readMessage(text, { operators, country }));
  for (const { pattern } of messages) {
    const captured = pattern.match(fold(text));
    if (typeof captured === 'object' && captured.nom) expect(fold(read)).not.toContain(captured.nom);
  }
});

test('no arbitrary text is a payment', () => {
  const words = [...new Set(cases.flatMap(({ text }) => text.split(/\s+/)))];
  const mixed = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((some) => some.join(' '));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 300 }), mixed), (text) => {
      expect(readMessage(text, { operators }).kind).not.toBe('payment');
    }),
    { numRuns: 300 },
  );
});

test('a payment cut in its first half is none', () => {
  fc.assert(
    fc.property(anyPayment, fc.double({ min: 0, max: 0.5, noNaN: true }), ({ text, country }, part) => {
      const cut = text.slice(0, text.length * part);
      expect(readMessage(cut, { operators, country }).kind).toBe('unread');
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['proper', 'unread'],
  ['appelezle', 'unread'],
  ['CI261118.0259.A69873', 'payment'],
  // Of other wallets, chance makes some of letters alone.
  ['DCFNLESQEK', 'payment'],
])('a word of a few letters is no reference: %s is %s', (reference, kind) => {
  const text = `Depot de 272,900 FCFA effectué par 76168555\nVotre nouveau solde est 1 341 078 FCFA ID : ${reference}`;
  expect(readMessage(text, { operators, country: '+223' }).kind).toBe(kind);
});

test('two messages glued are the first payment alone, or not read', () => {
  const known = cases.filter(({ expected }) => expected.kind !== 'unread');
  const any = fc.constantFrom(...known);
  fc.assert(
    fc.property(any, any, fc.constantFrom('', ' ', '. ', '\n'), (first, second, between) => {
      const { why, ...read } = readMessage(first.text + between + second.text, { operators, country: first.country });
      if (read.kind === 'payment') expect([read, second.expected.kind]).toEqual([first.expected, 'ignored']);
      if (read.kind === 'ignored') expect([first, second].filter((each) => payments.includes(each))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test.each([
  'Vous avez recu 1 448 500.00 FCFA du 70873047,Trans ID: PP261124.0912.00000000 DE SOUZA KOFFI.\nLe solde de votre compte est de 1 969 864.',
  'Vous avez recu 139 500.00 FCFA du 70394748,Dossou-Yovo jean-baptiste.\nTrans ID : DCLYLWYAWZ. Votre solde est de 909 251.00 FCFA.Le solde de votre compte est de 1,497,',
  'Vous avez reçu 6 921.00 FCFA du 70922412,AWA. Trans ID: PP261124.0912.00000000 Le solde de votre compte est de 1 844 903 FCFA\nTrans ID: .',
  'Vous avez recu 4 125.00 FCFA du 70132279,DE SOUZA M. Trans ID: PP261124.0912.00000000 payer Le solde de votre compte est de ',
  'Vous avez recu 6918.00 FCFA du 70402911,DOSSOU M. Le solde de votre compte est de 705 797.00 FCFA Trans ID:12345678901 ID: ',
  'Vous avez recu un paiement de 1 681 322 FCFA du numero 70436415.\nRef: SCH-2026-001. Trans : ID CI261124.1827.04169606.. Trans ID: RC261124.0912.31029809',
  'Vous avez recu 366000.00 FCFA du 22670515840 - Sène A. le 15/11/2026 03:18:02. Trans ID : DCM5DPL9C9SOLDE\n. Votre solde est de 2 545 932.00 FCFA.',
  'Transfert 1.573.130F de ZONGO Issa (2290197180147) 2026-11-19 19:03:43 Ref:merci . Paiement 2900F a Traoré LVC|P2M (2290161254275) 2026-11-24 09:12:00 Solde:14607F ID:11212664169',
  "Paiement 1,916,451 F CFA de N'GUESSAN KOFFI (2290197448106) 2026-11-22 16:13:26 Frais:0F Solde:584.261F ID : ID10514818154",
])('a reference beside which another one, or another balance, stands is not taken: %s', (text) => {
  const country = text.startsWith('Vous') ? '+226' : '+229';
  expect(readMessage(text, { operators, country }).kind).toBe('unread');
});

test('white space, case, accents and dots at the end change nothing', () => {
  const space = fc.array(fc.constantFrom(' ', '\u00a0', '\u202f', '\n', '\r\n', '\t'), { minLength: 1, maxLength: 4 });
  const changes = fc.array(fc.record({ space: space.map((each) => each.join('')), other: fc.nat(3) }), {
    minLength: 7,
  });
  fc.assert(
    fc.property(anyPayment, changes, fc.nat(5), ({ text, country, expected }, some, dots) => {
      const at = (index: number) => some[index % some.length];
      const changed = text
        .replace(/\s+/g, (_, index) => at(index)?.space ?? ' ')
        .replace(/[a-z]/gi, (letter, index) => {
          const other = at(index)?.other;
          if (other === 0 && /[aeiouc]/i.test(letter)) return `${letter}\u0301`;
          return other === 1 ? letter.toUpperCase() : other === 2 ? letter.toLowerCase() : letter;
        });
      expect(readMessage(changed + '.'.repeat(dots), { operators, country })).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('full stops between sentences, spaces in amounts and the name of the franc change nothing', () => {
  const currencies = fc.constantFrom('F', 'FCFA', ' FCFA', ' F CFA', ' CFA', ' XOF');
  const changes = fc.record({
    stops: fc.array(fc.nat(2), { minLength: 7 }),
    space: fc.constantFrom('', ' ', '\u202f'),
    currencies,
  });
  fc.assert(
    fc.property(anyPayment, changes, ({ text, country, expected }, { stops, space, currencies: unit }) => {
      const changed = text
        .replace(/(?<=\d) ?(?:F CFA|FCFA|XOF|F)\b/g, unit)
        .replace(
          /(?<![\d.,])(\d{1,3})[ \u00a0\u202f]?((?:\d{3}[ \u00a0\u202f]?)*\d{3})(?=(?:[.,]\d+)? ?(?:F|F ?CFA|CFA|XOF)\b)/g,
          (_, first, rest) => [first, ...rest.match(/\d{3}/g)].join(space),
        )
        .replace(
          /(?<!\.|\b(?:le|votre|nouveau|consultez|du|trans|txn))\.?(?=\s+(?:(?:le|votre|nouveau) (?:nouveau )?solde|solde|trans id|tid|ref|id|merci|numéro)\b)/gi,
          (_, index) => '.'.repeat(stops[index % stops.length] ?? 0),
        );
      expect(readMessage(changed, { operators, country })).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('whatever the name of a payer, it moves nothing', () => {
  const named = payments.filter(({ text }) => text.includes('EXEMPLE'));
  const name = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('Ref:T1', 'ID: 12345', '(70000001)', ', 9 F', '. '),
  );
  fc.assert(
    fc.property(fc.constantFrom(...named), name, ({ text, country, expected }, other) => {
      const read = readMessage(
        text.replace('EXEMPLE', () => other),
        { operators, country },
      );
      if (read.kind !== 'unread') expect(read).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('a text longer than ten long SMS is not read', () => {
  const text = payments[0]?.text ?? '';
  expect(readMessage(`${text}${'.'.repeat(10_000)}`, { operators })).toEqual({ kind: 'unread' });
});

test.each<[name: string, read: object | undefined]>([
  [
    'orange-bf/cases/paiement-fait-avec-frais',
    {
      gross: 500,
      fee: 499,
      balanceAfter: 47_190,
      reference: 'MP260902.0128.19000004',
      paidAt: '2026-09-02T01:28:00.000Z',
    },
  ],
  [
    'mtn-bj/cases/transfert-fait',
    { gross: 5_825, fee: 5_000, balanceAfter: 460_700, reference: '11000000094', paidAt: '2025-11-24T19:38:42.000Z' },
  ],
  [
    'mtn-bj/cases/retrait-automate',
    { gross: 10_000, fee: undefined, balanceAfter: 5_000_000, reference: '9800000210' },
  ],
  ['wave-ci/cases/envoi', { gross: 5_000, fee: undefined, balanceAfter: 1_250_000, reference: 'TABC90002' }],
  ['mixx-tg/cases/dépôt-agent', { gross: 5_000, fee: undefined, balanceAfter: 14_400, reference: undefined }],
  ['orange-bf/cases/retrait-court', undefined],
  ['orange-bf/cases/reçu', undefined],
  ['moov-bj/cases/retrait-agent', undefined],
  ['mixx-tg/cases/bonus', undefined],
])('money that went out is a step of the balances where an amount and one balance are told: %s', (name, read) => {
  const { text = '', country } = cases.find((each) => each.name === name.replace('/cases/', ' : ')) ?? {};
  const context = { operators, ...(country && { country }) };
  const twice = `${text} Solde: 12 F. Solde: 12 F.`;
  const outgoing = (message: string) => readOutgoing(message, readMessage(text, context), context);
  if (read) expect(outgoing(text)).toMatchObject({ direction: 'out', ...read });
  else expect(outgoing(text)).toBe(undefined);
  expect(outgoing(twice)).toBe(undefined);
});
