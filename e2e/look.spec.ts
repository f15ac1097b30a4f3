import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { findViolations } from './accessibility.ts';
import { phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { boxOf, expectNoSidewaysScroll } from './layout.ts';
import { enterAs, stored } from './steps.ts';

const key = 'guichet.look';
const grounds = { light: 'rgb(251, 248, 243)', dark: 'rgb(18, 23, 29)' };

/** Stores a look before the first load of a page. */
const keepLook = (page: Page, look: string) =>
  page.addInitScript(([name, text]) => localStorage.setItem(name, text), [key, look] as const);

async function expectTheme(page: Page, theme: keyof typeof grounds): Promise<void> {
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', theme);
  await expect(root).toHaveCSS('background-color', grounds[theme]);
  await expect(root).toHaveCSS('color-scheme', theme);
  const bar = await page.locator('meta[name=theme-color]').getAttribute('content');
  expect(bar).toBe({ light: '#fbf8f3', dark: '#12171d' }[theme]);
}

const radio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const openLook = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Affichage' }).click();

test('P11.7, the theme and the text size change at once, stay through a reload and a sign-out, and are reached by keyboard', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Alima', lastName: 'Look', phone: '77000081' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await openLook(page);
  const dialog = page.getByRole('dialog', { name: 'Affichage' });
  await expect(radio(page, "Comme l'appareil")).toBeChecked();
  await expect(radio(page, 'Normal')).toBeChecked();
  await radio(page, 'Sombre').click();
  await expectTheme(page, 'dark');
  expect((await boxOf(dialog.getByText('Sombre'))).height).toBeGreaterThanOrEqual(48);

  // One stop of the Tab key for each group, and the arrows in it.
  await page.keyboard.press('Tab');
  await expect(radio(page, 'Normal')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(radio(page, 'Grand')).toBeChecked();
  await expect(page.locator('html')).toHaveCSS('font-size', '18px');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('html')).toHaveCSS('font-size', '20px');
  await expectNoSidewaysScroll(page);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await expect(radio(page, 'Sombre')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expectTheme(page, 'light');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Affichage' })).toBeFocused();

  await page.reload();
  await expectTheme(page, 'dark');
  await expect(page.locator('html')).toHaveCSS('font-size', '20px');
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expectTheme(page, 'dark');
  expect(JSON.parse((await stored(page, key)) ?? '')).toEqual({ theme: 'dark', text: 'larger' });
});

test('P11.7, what is painted before any style sheet or script has the stored theme', async ({ page, product }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/**', async (route) => {
    await held;
    await route.continue();
  });
  await keepLook(page, '{"theme":"dark","text":"large"}');
  await page.goto(product.url, { waitUntil: 'commit' });
  await expect(page.getByText('Chargement...')).toBeVisible();
  const { data } = await sharp(await page.screenshot())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (phoneSize.width * 20 + 20) * (data.length / phoneSize.width / phoneSize.height);
  expect(`rgb(${[...data.subarray(at, at + 3)].join(', ')})`).toBe(grounds.dark);
  await expect(page.locator('html')).toHaveCSS('font-size', '18px');
  await expect(page.locator('.boot')).toHaveCSS('color', 'rgb(95, 208, 143)');
  release();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expectTheme(page, 'dark');
});
