import { expect, test } from 'vitest';
import { textSizes, textStyles } from '#contract/catalogue.ts';
import { readableOnWhite } from './readable-colour.ts';
import { emojiFor, formatPrice, serviceStrokeStyle, serviceTextStyle } from './service-text.tsx';

test('each size is larger than the one before, and scales with the text size of the phone', () => {
  const sizes = textSizes.map((textSize) => String(serviceTextStyle({ textSize, textColor: '#1E293B' }).fontSize));
  expect(sizes).toEqual(['0.75rem', '0.875rem', '1rem']);
});

test('the colour is the one that was chosen', () => {
  expect(serviceTextStyle({ textSize: 'medium', textColor: '#A61B1B' }).color).toBe('#A61B1B');
});

test.each([
  ['#7F1D1D', '#7F1D1D'],
  // 1.2:1 as it is.
  ['#FDE68A', '#817643'],
])('%s is drawn as %s, which is read on white', (chosen, drawn) => {
  expect(readableOnWhite(chosen)).toBe(drawn);
});

test.each([
  ['normal', 400, 'normal'],
  ['bold', 700, 'normal'],
  ['italic', 400, 'italic'],
  ['bold italic', 700, 'italic'],
] as const)('%s is weight %d, %s', (textStyle, fontWeight, fontStyle) => {
  expect(textStyles).toContain(textStyle);
  expect(serviceStrokeStyle({ textStyle })).toEqual({ fontWeight, fontStyle });
});

test.each([
  ['À partir de 12 500 FCFA, selon le compteur', 'À partir de 12_500_FCFA, selon le compteur'],
  ['1 000 000 F CFA', '1_000_000_F_CFA'],
  ['500 F ou 1 000 CFA', '500_F ou 1_000_CFA'],
  ['Forfait 30 jours, 2 personnes', 'Forfait 30 jours, 2 personnes'],
  ['Sur devis', 'Sur devis'],
  ['12345 FCFA', '12_345_FCFA'],
  ['De 500F à 1246913F CFA', 'De 500F à 1_246_913F_CFA'],
  ['Code 2026', 'Code 2026'],
])('of the price %j the amount alone stays together', (words, shown) => {
  expect(formatPrice(words)).toBe(shown.replaceAll('_', '\u00a0'));
});

test.each([
  ["Côte d'Ivoire", '🇨🇮'],
  ['SENEGAL', '🇸🇳'],
  ['electricite', '💡'],
  ['Forfait internet', '🌐'],
  ['ÉCOLE', '🎓'],
  // Of several keywords the first of the list counts.
  ['Transfert vers le Mali', '🇲🇱'],
  ['Transfert Orange Money', '💸'],
  ["Facture d'eau", '🚰'],
  // No keyword.
  ['', '🛎️'],
  ['Nigeria', '🛎️'],
  ['Cadeau', '🛎️'],
  ['Mandataire', '🛎️'],
])('%j is %s', (name, emoji) => {
  expect(emojiFor(name)).toBe(emoji);
});
