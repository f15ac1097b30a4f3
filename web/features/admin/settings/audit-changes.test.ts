import { expect, test } from 'vitest';
import { changesOf } from './audit-changes.ts';

test.each<[object, string[]]>([
  [{}, []],
  [{ status: 'approved', before: { status: 'pending' } }, ['Statut\u00a0: En attente → Approuvé']],
  [{ title: 'Aide', before: { slug: 'a' } }, ['Adresse (slug) (avant)\u00a0: a', 'Titre\u00a0: Aide']],
  [
    { isActive: false, price: null, commissionType: 'range' },
    ['Actif\u00a0: Non', 'Prix\u00a0: —', 'Type de commission\u00a0: Par tranches'],
  ],
  [{ changed: 'price, name' }, ['Champs modifiés\u00a0: Prix, Nom']],
  [
    { rule: 'R4', line: 12, day: '2026-11-28', accountId: 1, ticketId: 3 },
    ['Règle\u00a0: montant et heure', 'Jour\u00a0: 28 novembre', 'Compte\u00a0: Caisse 1', 'Ticket\u00a0: n°\u00a03'],
  ],
  [
    { constructor: { a: 1 }, commissionType: 'toString', before: null },
    ['constructor\u00a0: {"a":1}', 'Type de commission\u00a0: toString'],
  ],
])('the details %j are read as %j', (details, lines) => {
  const nameOfRow = (object: string) => (object === 'payment-account' ? 'Caisse 1' : undefined);
  expect(changesOf({ ...details }, nameOfRow)).toEqual(lines);
});
