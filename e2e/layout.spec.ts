import { phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { confirmOrder, drillDown, enterAs, toBundle } from './steps.ts';

/** What a person's screens need of their space on a phone. That none is too wide is the tour's, at 320 px. */

/** A phone, which has a dialler. */
test.use({ viewport: phoneSize, hasTouch: true });

test('an order is decided above the fold, its bar covers nothing, and the code is dialled by a large button', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Pli', lastName: 'Kam', phone: '51110012' });
  await drillDown(page, toBundle);
  const payments = page.getByRole('group', { name: 'Type de paiement' });
  const bar = page.locator('.confirm-bar');
  const confirm = page.getByRole('button', { name: 'Confirmer la demande' });
  for (const part of [page.getByLabel('Numéro du bénéficiaire'), payments.getByRole('radio').first(), confirm])
    await expect(part).toBeInViewport({ ratio: 1 });
  expect((await boxOf(bar)).bottom).toBe(phoneSize.height);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  expect(Math.round((await boxOf(bar)).bottom)).toBe(phoneSize.height);
  expect((await boxOf(payments)).bottom).toBeLessThanOrEqual((await boxOf(bar)).y);

  await confirmOrder(page, { beneficiary: '70 11 22 33', total: /^1.050\sFCFA$/ });
  const { width, height } = await boxOf(page.getByRole('dialog').getByRole('link', { name: 'Composer' }));
  expect(width).toBe(phoneSize.width - 2 * 20);
  expect(height).toBeGreaterThanOrEqual(52);
});
