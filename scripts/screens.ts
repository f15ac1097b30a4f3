import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { browserOptions, desktopSize, landscapeSize, phoneSize } from '../e2e/browser.ts';
import { startProduct } from '../e2e/product.ts';
import { tour } from '../e2e/tour.ts';

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
    await tour(page, product, person, async (name) => {
      if (size === 'paysage' && name.startsWith('admin-')) return;
      const toast = page.getByRole('button', { name: 'Fermer le message' });
      if ((await toast.isVisible()) && !(await page.locator('dialog[open]').isVisible())) await toast.click();
      // Two frames, so that what has just changed is painted too.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: path.join(folder, `${name}-${size}.png`) });
      console.log(`${name}-${size}.png`);
    });
    await page.close();
  }
} finally {
  await browser.close();
  await product.stop();
}
