import { expect, test } from 'vitest';
import type { Ticket } from '#contract/tickets.ts';
import { receiptLines, receiptText } from './receipt.ts';

const ticket: Ticket = {
  id: 3,
  userId: 1,
  serviceId: 9,
  status: 'approved',
  numberOfBeneficiaries: 1,
  paymentTypeId: 1,
  paymentTypeName: 'Orange Money',
  totalPrice: '1050',
  amount: 1000,
  commission: 50,
  servicePath: [
    { id: 1, name: 'Télécom et mobile', price: null, level: 1 },
    { id: 9, name: 'Forfait internet 7 jours', price: '1 000 FCFA', level: 2 },
  ],
  beneficiaryPhoneNumber: '+22670112233',
  dialCode: '*144*10*00000000*1050#',
  dialOperator: 'Orange',
  codeReportedAt: null,
  rejectReason: null,
  paymentReference: 'PP240512.1234.A12345',
  paymentDeclaredAt: '2026-11-21T14:05:00.000Z',
  createdAt: '2026-11-21T14:02:00.000Z',
  updatedAt: '2026-11-21T14:30:00.000Z',
};
/** French groups thousands with a non-breaking narrow space; the platform decides which one. */
const withPlainSpaces = (text: string) => text.replace(/[^\S\n]/g, ' ');

test('a receipt says what was ordered, for whom, by which transaction, and what it cost', () => {
  const lines = withPlainSpaces(receiptText(ticket, 'https://guichet.example/recu/3-X')).split('\n');
  expect(lines[0]).toBe('Guichet · Reçu du ticket n° 3');
  expect(lines[2]).toMatch(/^Date : 21 novembre 2026/);
  expect(lines.toSpliced(2, 1)).toEqual([
    'Guichet · Reçu du ticket n° 3',
    'Service : Télécom et mobile → Forfait internet 7 jours',
    'Bénéficiaire : +226 70 11 22 33',
    'Paiement : Orange Money',
    'Référence : PP240512.1234.A12345',
    'Statut : Approuvé',
    'Prix : 1 000 FCFA',
    'Commission : 50 FCFA',
    'Total : 1 050 FCFA',
    'À vérifier : https://guichet.example/recu/3-X',
  ]);
  expect(withPlainSpaces(receiptText(ticket, undefined))).toMatch(/\nL'adresse qui vérifie ce reçu manque : [^\n]+$/);
});

test('a receipt has no line for what is not known', () => {
  expect(receiptLines({ ...ticket, paymentReference: null }).map(([name]) => name)).not.toContain('Référence');
});

test('a receipt of what an agent prices states no price', () => {
  const priced = ticket.servicePath.map((step) => ({ ...step, price: null }));
  const lines = receiptLines({ ...ticket, servicePath: priced, amount: 0, commission: 0, totalPrice: '0' });
  expect(lines.map(([name]) => name)).not.toContain('Prix');
  expect(lines.at(-1)).toEqual(['Total', 'Communiqué par un agent']);
});
