import { expect, test } from 'vitest';
import { servicePlace } from './service-place.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test.each([
  [
    'operator and country first',
    ['Télécom et mobile', 'Burkina Faso', 'Orange', 'Forfaits internet', 'Forfait internet 1 jour'],
    'Burkina Faso · Orange · Forfaits internet',
  ],
  ['one name between', ['Factures et paiements', 'Télévision', 'Bouquet Access'], 'Télévision'],
  ['the root of a service below it', ["Transfert d'argent", 'Envoi national'], "Transfert d'argent"],
  ['nothing above', ['Envoi'], ''],
])('of a service its place is told: %s', (_, names, place) => {
  expect(servicePlace(named(...names)).replaceAll('\u00a0', ' ')).toBe(place);
});

test('services of one name in two countries are told apart by the beginning', () => {
  const place = (country: string, operator: string) =>
    servicePlace(named('Télécom et mobile', country, operator, 'Forfaits internet', 'Forfait internet 1 jour'));
  expect(place('Burkina Faso', 'Telecel')).toMatch(/^Burkina Faso\s· Telecel/);
  expect(place('Sénégal', 'Orange')).toMatch(/^Sénégal\s· Orange/);
});
