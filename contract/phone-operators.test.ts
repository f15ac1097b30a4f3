import { expect, test } from 'vitest';
import { operatorOf } from './phone-operators.ts';

test.each([
  ['+22676000000', 'Orange'],
  ['+22670123456', 'Moov'],
  ['+22678000000', 'Telecel'],
  ['+2250701234567', 'Orange'],
  ['+2250501234567', 'MTN'],
  ['+2250101234567', 'Moov'],
  ['+22376000000', 'Orange'],
  ['+22796000000', 'Airtel'],
  ['+2290197123456', 'MTN'],
  ['+2290195123456', 'Moov'],
  ['+22890112345', 'Yas'],
  ['+22899112345', 'Moov'],
  ['+221771234567', 'Orange'],
  ['+221761234567', 'Yas'],
  ['+22366000000', undefined],
  ['+33612345678', undefined],
])('%s has a number of %s', (e164, operator) => {
  expect(operatorOf(e164)).toBe(operator);
});
