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
    { constructor: { a: 1 }, commissionType: 'toString', before: null },
    ['constructor\u00a0: {"a":1}', 'Type de commission\u00a0: toString'],
  ],
])('the details %j are read as %j', (details, lines) => {
  expect(changesOf({ ...details })).toEqual(lines);
});
