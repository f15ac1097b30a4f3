import { phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { confirmOrder, drillDown, enterAs, enterBy, toBundle } from './steps.ts';

/** What a person's screens need of their space on a phone. That none is too wide is the tour's, at 320 px. */

/** A phone, which has a dialler. */
test.use({ viewport: phoneSize, hasTouch: true });

test('an order is decided above the fold, its bar covers nothing, and the code is dialled by the largest button', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Pli', lastName: 'Kam', phone: '51110012' });
  await drillDown(page, toBundle);
  // 'Service sélectionné' covers neither the service nor a field.
  const chosenService = page.getByRole('status').filter({ hasText: 'Service sélectionné' }).locator('> div').first();
  const service = page.getByRole('heading', { level: 2, name: 'Forfait internet 7 jours' });
  expect((await boxOf(chosenService)).bottom).toBeLessThanOrEqual((await boxOf(service)).y);
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
  // One row: what dials fills what copying and 'J'ai payé' leave.
  const sheet = page.getByRole('dialog');
  const [dial, copy, paid] = await Promise.all(
    [
      sheet.getByRole('link', { name: 'Composer' }),
      sheet.getByRole('button', { name: 'Copier' }),
      sheet.getByRole('button', { name: /^J'ai payé/ }),
    ].map(boxOf),
  );
  expect(new Set([dial, copy, paid].map((box) => box?.y)).size).toBe(1);
  expect(dial?.width).toBeGreaterThan(Math.max(copy?.width ?? 0, paid?.width ?? 0));
  expect(Math.min(dial?.height ?? 0, copy?.width ?? 0)).toBeGreaterThanOrEqual(48);
  const code = sheet.locator('.font-mono');
  expect(await code.evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize))).toBeGreaterThanOrEqual(19);
});

test.describe('on an iPhone', () => {
  test.use({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148' });

  test('P9.2, a code is copied first: no link dials it there', async ({ page, product }) => {
    const caller = await callAs(product, { firstName: 'Pomme', lastName: 'Kam', phone: '51110013' });
    await fileTickets(caller, 1);
    await enterBy(page, product, caller.entrance);
    const main = page.getByRole('main');
    const copy = await boxOf(main.getByRole('button', { name: /^Copier/ }));
    const dial = await boxOf(main.getByRole('link', { name: /^Composer/ }));
    expect(copy.right).toBeLessThanOrEqual(dial.x);
    expect(copy.width).toBeGreaterThan(dial.width);
  });
});
