import { expect, test } from 'vitest';
import { findWallet } from './payment-references.ts';

test.each([
  ['Orange Money', 'Orange Money'],
  ['Flooz', 'Moov Money'],
  ['Moov Africa', 'Moov Money'],
  ['MTN MoMo', 'MTN MoMo'],
  ['Mixx by Yas', 'Mixx'],
  ['T-Money', 'Mixx'],
  ['Wave', 'Wave'],
  ['Coris Money', undefined],
  [null, undefined],
])('the wallet of %s is %s', (name, wallet) => {
  expect(findWallet(name)?.name).toBe(wallet);
});
