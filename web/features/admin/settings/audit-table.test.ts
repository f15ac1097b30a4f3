import { expect, test } from 'vitest';
import { changesOf, fieldName, fieldValue, targetOf } from './audit-table.tsx';

test.each([
  ['PATCH /api/tickets/:id/status', '12', { text: 'Ticket n°\u00a012', address: '/admin/tickets?ticket=12' }],
  ['POST /api/admin/ticket-decisions', '12', { text: 'Ticket n°\u00a012', address: '/admin/tickets?ticket=12' }],
  ['DELETE /api/admin/users/:id', '3', { text: 'Utilisateur n°\u00a03', address: '/admin/users?utilisateur=3' }],
  ['GET /api/tickets/user/:userId', '3', { text: 'Utilisateur n°\u00a03', address: '/admin/users?utilisateur=3' }],
  ['POST /api/services', '4', { text: 'Service n°\u00a04' }],
  ['PUT /api/admin/content-pages/:id', '5', { text: 'Page n°\u00a05' }],
  ['PUT /api/admin/payment-types/:id', '6', { text: 'Type de paiement n°\u00a06' }],
  ['POST /api/auth/signin', null, { text: '—' }],
  ['POST /api/other/:id', 'x', { text: 'x' }],
])('%s of %s is on %j', (action, target, expected) => {
  expect(targetOf({ action, target })).toEqual(expected);
});

test('values are read in French, whatever they are', () => {
  expect(fieldValue('isActive', false)).toBe('Non');
  expect(fieldValue('status', 'rejected')).toBe('Rejeté');
  expect(fieldValue('commissionType', 'range')).toBe('Par tranches');
  expect(fieldValue('commissionType', 'toString')).toBe('toString');
  expect(fieldValue('price', null)).toBe('—');
  expect(fieldValue('x', { a: 1 })).toBe('{"a":1}');
  expect(fieldName('constructor')).toBe('constructor');
});

test('what stood before is set beside what was sent', () => {
  expect(changesOf({ details: { title: 'Après', before: { title: 'Avant', slug: 'a' } } })).toEqual({
    hasBefore: true,
    hasAfter: true,
    rows: [
      { name: 'Titre', before: 'Avant', after: 'Après' },
      { name: 'Adresse (slug)', before: 'a', after: '' },
    ],
  });
  expect(changesOf({ details: {} })).toEqual({ hasBefore: false, hasAfter: false, rows: [] });
  expect(changesOf({ details: { before: null, number: '+226' } }).rows).toEqual([
    { name: 'Numéro', before: '', after: '+226' },
  ]);
});
