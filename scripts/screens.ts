import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { browserOptions, desktopSize, landscapeSize, phoneSize } from '../e2e/browser.ts';
import { startProduct } from '../e2e/product.ts';
import { tourAsAdministrator, tourAsGuest, tourAsPerson } from '../e2e/tour.ts';

/**
 * Takes a picture of every screen, on a phone, in landscape and on a desktop, into screens/ or the named
 * folder.
 */
const folder = path.resolve(process.argv[2] ?? path.resolve(import.meta.dirname, '../screens'));
mkdirSync(folder, { recursive: true });
const { launchOptions, viewport: _, ...settings } = browserOptions;
const fonts = path.resolve(import.meta.dirname, '../e2e/roboto.conf');
const browser = await chromium.launch({ ...launchOptions, env: { ...process.env, FONTCONFIG_FILE: fonts } });
const product = await startProduct();
const sizes = { paysage: landscapeSize, telephone: phoneSize, bureau: desktopSize };
try {
  for (const [index, [size, viewport]] of Object.entries(sizes).entries()) {
    const isMobile = size !== 'bureau';
    const options = { ...settings, viewport, isMobile, hasTouch: isMobile, reducedMotion: 'reduce' } as const;
    const person = { firstName: 'Aïcha', lastName: 'Ouédraogo', phone: `7600000${index}` };
    const take = (page: Page) => async (name: string) => {
      const toast = page.getByRole('button', { name: 'Fermer le message' });
      if (await toast.isVisible()) await toast.click();
      // Two frames, so that the last change is painted.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: path.join(folder, `${name}-${size}.png`) });
      console.log(`${name}-${size}.png`);
    };
    const page = await browser.newPage(options);
    await tourAsGuest(page, product, take(page));
    await page.context().clearCookies();
    await tourAsPerson(page, product, person, take(page));
    await page.close();
    const panel = await browser.newPage(options);
    const customer = { firstName: 'Moussa', lastName: 'Traoré', phone: `7600010${index}` };
    await tourAsAdministrator(panel, product, customer, take(panel));
    await panel.close();
  }
} finally {
  await browser.close();
  await product.stop();
}
