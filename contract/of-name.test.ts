import { expect, test } from 'vitest';
import { ofName } from './of-name.ts';

test.each([
  ['Inès Sarr', "d'Inès Sarr"],
  ['Élodie', "d'Élodie"],
  ['Orange Money', "d'Orange Money"],
  ['Œuvre', "d'Œuvre"],
  ['Moussa', 'de Moussa'],
  ['Yacouba', 'de Yacouba'],
  ['Hamidou', 'de Hamidou'],
])('%s is named as %s', (name, named) => {
  expect(ofName(name)).toBe(named);
});
