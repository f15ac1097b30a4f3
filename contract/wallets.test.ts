import { expect, test } from 'vitest';
import { findWallet } from './wallets.ts';

test.each([
  [['Orange Money'], 'Orange Money'],
  [['Flooz'], 'Moov Money'],
  [['MTN MoMo'], 'MTN MoMo'],
  [['Mixx by Yas'], 'Mixx'],
  [['Wave', 'Orange'], 'Wave'],
  [['Caisse', 'Telecel'], 'Telecel Money'],
  [['Coris Money', null], undefined],
  [[null], undefined],
])('the wallet of %j is %s', (names, wallet) => {
  expect(findWallet(...names)?.name).toBe(wallet);
});
