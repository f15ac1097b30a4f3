import type { Service } from '#contract/catalogue.ts';
import { phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf, enlarge, expectNoSidewaysScroll } from './layout.ts';
import { confirmOrder, drillDown, enterAs, enterAsGuest, enterBy, toBundle } from './steps.ts';

/** What a person's screens need of their space on a phone. That nothing stands out, is cut or covered is `screens.spec.ts`. */

/** A phone, which has a dialler. */
test.use({ viewport: phoneSize, hasTouch: true });

test('an order is decided above the fold, its bar covers nothing, and the code is dialled by the largest button', async ({
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

  await confirmOrder(page, { beneficiary: '76 11 22 33', total: /^1.050\sFCFA$/ });
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

test('every screen has its head of cloth, 48 pixels high; with twice the text, or at twice the zoom, all of it is there and no bar covers much', async ({
  page,
  product,
}) => {
  await enterAsGuest(page, product);
  const catalogue = (await (await page.request.get(`${product.url}/api/catalogue`)).json()) as Service[];
  const water = catalogue.find(({ name }) => name === 'Eau');
  const bar = page.locator('.bottom-bar');
  for (const path of [
    '/settings',
    '/notifications',
    `/?dans=${water?.parentId},${water?.id}`,
    '/content/conditions-utilisation',
    '/nulle-part',
    '/',
  ])
    await test.step(path, async () => {
      await page.setViewportSize(phoneSize);
      await page.goto(product.url + path);
      const title = page.getByRole('heading', { level: 1 });
      await expect(title).toBeVisible();
      if (path !== '/') {
        // With the face of titles, and the 6 pixels of the hem.
        await expect.poll(async () => (await boxOf(page.getByRole('main').locator('.cloth'))).bottom).toBe(48 + 6);
        expect((await boxOf(title)).bottom).toBeLessThanOrEqual(48);
      }
      for (const zoomed of [false, true]) {
        if (zoomed) await page.setViewportSize({ width: phoneSize.width / 2, height: phoneSize.height / 2 });
        else await enlarge(page);
        await expectNoSidewaysScroll(page);
        const { height } = page.viewportSize() ?? phoneSize;
        const { y, bottom } = await boxOf(bar);
        expect(Math.min(bottom, height) - Math.min(y, height)).toBeLessThanOrEqual(height / 4);
        await enlarge(page, false);
      }
    });
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
