import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import { browserOptions, desktopSize, landscapeSize, phoneSize } from '../e2e/browser.ts';
import { startProduct } from '../e2e/product.ts';
import { tour } from '../e2e/tour.ts';

/** The states that a good line does not show: without one, while a list is still to come, and when it does not come. */
async function visitStates(page: Page, visit: (name: string) => Promise<void>): Promise<void> {
  const list = '**/api/notifications/user/*?*';
  const open = async (sign: string | RegExp) => {
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('guichet_kept:')) localStorage.removeItem(key);
    });
    await page.goto(new URL('/notifications', page.url()).href);
    await expect(page.getByText(sign)).toBeVisible();
  };
  await page.goto(new URL('/tickets', page.url()).href);
  await expect(page.getByText('Motif :')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Hors ligne/)).toBeVisible();
  await visit('tickets-hors-ligne');
  await page.context().setOffline(false);
  await page.route(list, (route) => route.fulfill({ status: 500, body: '{}' }));
  await open('Impossible de charger vos notifications.');
  await visit('notifications-erreur');
  await page.unroute(list);
  await page.route(list, () => {});
  await open('Chargement des notifications...');
  await visit('notifications-chargement');
}

/** Takes the pictures of docs/screens: every screen, on a phone and on a desk, and a visitor's on a phone on its side. */
const folder = path.resolve(import.meta.dirname, '../docs/screens');
mkdirSync(folder, { recursive: true });
const { launchOptions, viewport: _, ...context } = browserOptions;
const fonts = path.resolve(import.meta.dirname, '../e2e/roboto.conf');
const browser = await chromium.launch({ ...launchOptions, env: { ...process.env, FONTCONFIG_FILE: fonts } });
const product = await startProduct();
const sizes = { paysage: landscapeSize, telephone: phoneSize, bureau: desktopSize };
try {
  for (const [index, [size, viewport]] of Object.entries(sizes).entries()) {
    const isMobile = size !== 'bureau';
    const page = await browser.newPage({ ...context, viewport, isMobile, hasTouch: isMobile, reducedMotion: 'reduce' });
    const person = { firstName: 'Aïcha', lastName: 'Ouédraogo', phone: `7600000${index}` };
    const take = async (name: string) => {
      if (size === 'paysage' && name.startsWith('admin-')) return;
      const toast = page.getByRole('button', { name: 'Fermer le message' });
      if ((await toast.isVisible()) && !(await page.locator('dialog[open]').isVisible())) await toast.click();
      // Two frames, so that what has just changed is painted too.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: path.join(folder, `${name}-${size}.png`) });
      console.log(`${name}-${size}.png`);
    };
    await tour(page, product, person, take);
    await visitStates(page, take);
    await page.close();
  }
} finally {
  await browser.close();
  await product.stop();
}
