import { expect, test } from 'vitest';
import { emojiFor } from './emoji.ts';

test.each([
  ['Burkina Faso', '🇧🇫'],
  ["Côte d'Ivoire", '🇨🇮'],
  ['Mali', '🇲🇱'],
  ['Niger', '🇳🇪'],
  ['Bénin', '🇧🇯'],
  ['Togo', '🇹🇬'],
  ['Sénégal', '🇸🇳'],
  ["Envoyer de l'argent", '💸'],
  ['Dépôt', '🏧'],
  ['Forfait internet', '🌐'],
  ['Recharge', '📲'],
  ['Téléphone', '📱'],
  ['Portefeuille', '👛'],
  ['Électricité', '💡'],
  ['Eau', '🚰'],
  ['Bouquet TV', '📺'],
  ['Scolarité', '🎓'],
  ['Facture', '🧾'],
  ['Tontine', '🐖'],
  ['Banque', '🏦'],
  ['Santé', '🩺'],
  ['Billet de car', '🚌'],
])('%s is %s', (name, emoji) => {
  expect(emojiFor(name)).toBe(emoji);
});

test.each([
  ['SENEGAL', '🇸🇳'],
  ['electricite', '💡'],
  ['ÉCOLE', '🎓'],
])('capitals and missing accents make no difference: %s is %s', (name, emoji) => {
  expect(emojiFor(name)).toBe(emoji);
});

test.each([
  ['Transfert vers le Mali', '🇲🇱'],
  ['Transfert Orange Money', '💸'],
  ['Orange Money', '📱'],
  ["Facture d'eau", '🚰'],
])('of several keywords the first of the list counts: %s is %s', (name, emoji) => {
  expect(emojiFor(name)).toBe(emoji);
});

test.each(['', 'Autre', 'Nigeria', 'Malice', 'Cadeau', 'Bureau', 'Pharmacie', 'Mandataire'])(
  '%j has no keyword, and so the bell',
  (name) => {
    expect(emojiFor(name)).toBe('🛎️');
  },
);
