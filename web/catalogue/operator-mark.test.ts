import { expect, test } from 'vitest';
import { markTones, operatorMark } from './operator-mark.tsx';

test.each([
  ['Orange', 'OR'],
  ['Orange Money', 'OM'],
  ['Orange Burkina Faso', 'OR'],
  ['Moov Africa', 'MO'],
  ['Moov Money', 'MM'],
  ['MTN Bénin', 'MT'],
  ["Orange Côte d'Ivoire", 'OR'],
  ['Airtel Money', 'AM'],
  ['Mixx by Yas', 'MX'],
  ['Celtiis Cash', 'CC'],
  ['T-Money', 'TM'],
  ['TMoney', 'TM'],
])('%s is an operator, %s', (name, initials) => {
  expect(operatorMark(name)?.initials).toBe(initials);
});

test.each([
  'Transfert Orange Money',
  'Crédit Orange',
  'Orange Forfaits',
  "Jus d'orange",
  'Mali',
  'Money',
  'Yassine',
  'Télécom et mobile',
  '',
])('%j is no operator: it keeps its emoji', (name) => {
  expect(operatorMark(name)).toBeUndefined();
});

test('no two operators have the same initials', () => {
  const names =
    'Orange,Moov Africa,MTN,Telecel,Airtel,Yas,Mixx,Wave,Coris,Free,Zamani,Celtiis,Malitel,Togocel,Expresso';
  const wallets =
    'Orange Money,Moov Money,Airtel Money,Coris Money,Free Money,Celtiis Cash,T-Money,E-Money,Telecel Money';
  const initials = `${names},${wallets}`.split(',').map((name) => operatorMark(name)?.initials);
  expect(initials).not.toContain(undefined);
  expect(new Set(initials).size).toBe(initials.length);
});

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(Object.entries(markTones))(
  'the letters are read on their ground: %s has a contrast of 4.5 to 1',
  (_, [ground, letters]) => {
    expect((luminance(ground) + 0.05) / (luminance(letters) + 0.05)).toBeGreaterThanOrEqual(4.5);
  },
);
