import type { Page } from '@playwright/test';
import { findFaintText, findViolations } from './accessibility.ts';
import { landscapeSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { tourAsAdministrator, tourAsGuest, tourAsPerson } from './tour.ts';

/** So tall that nothing is hidden under the navigation, which axe would take for text without contrast. */
const height = 2_400;

/** 'Très grand' of the settings; home and the order are proved with twice the normal size. */
const largest = '20px';
const setText = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);

/** All rules in the light; in the dark what can differ there. */
async function judge(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  expect(await findViolations(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findFaintText(page), `${name} in the dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A walk is some thirty screens. */
test.describe.configure({ timeout: 400_000 });

const person = { firstName: 'Wendkuuni', lastName: 'Ouédraogo-Kaboré', phone: '76111110' };
const walks: [whose: string, least: number, walk: typeof tourAsGuest][] = [
  ["a guest's", 12, tourAsGuest],
  ["a person's", 23, (page, product, visit) => tourAsPerson(page, product, person, visit)],
];
for (const [whose, least, walk] of walks)
  test(`on the narrowest phone all can read and use each screen of ${whose}`, async ({ page, product, provoke }) => {
    // The tour looks at a receipt that is none.
    provoke('404 /api/receipts/');
    await page.setViewportSize({ width: 320, height });
    const seen: string[] = [];
    const addresses = new Set<string>();
    await walk(page, product, async (name) => {
      seen.push(name);
      addresses.add(page.url());
      await judge(page, name);
      await setText(page, largest);
      await expectNoSidewaysScroll(page);
      await setText(page, '');
    });
    expect(seen.length).toBeGreaterThanOrEqual(least);
    await page.setViewportSize(landscapeSize);
    for (const address of addresses) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  });

test('on a desk and on the narrowest phone all can use each screen of the administrators', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height });
  const addresses = new Set<string>();
  const seen: string[] = [];
  const customer = { firstName: 'Moussa', lastName: 'Ouédraogo-Kaboré', phone: '76111112' };
  await tourAsAdministrator(page, product, customer, async (name) => {
    seen.push(name);
    addresses.add(page.url().slice(product.url.length));
    await judge(page, name);
  });
  expect(seen.length).toBeGreaterThanOrEqual(24);
  await page.setViewportSize({ width: 320, height });
  for (const address of addresses) {
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await setText(page, largest);
    await expectNoSidewaysScroll(page);
  }
});
