import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { browserOptions, desktopSize, landscapeSize, laptopSizes, phoneSize } from '../e2e/browser.ts';
import { startProduct } from '../e2e/product.ts';
import { tours } from '../e2e/tour.ts';

/**
 * Takes pictures of every screen into screens/ or the named folder, in the face of the phones: on a phone, also on its side, on two
 * laptops and on a desktop.
 */
const folder = path.resolve(process.argv[2] ?? path.resolve(import.meta.dirname, '../screens'));
mkdirSync(folder, { recursive: true });
const { launchOptions, viewport: _, ...settings } = browserOptions;
const fonts = path.resolve(import.meta.dirname, '../e2e/roboto.conf');
const browser = await chromium.launch({ ...launchOptions, env: { ...process.env, FONTCONFIG_FILE: fonts } });
const product = await startProduct();
const [small, scaled] = laptopSizes;
const devices = [
  { isMobile: true, sizes: { telephone: phoneSize, paysage: landscapeSize } },
  { isMobile: false, sizes: { 'portable-1024': small, 'portable-1093': scaled, bureau: desktopSize } },
];
try {
  for (const [device, { isMobile, sizes }] of devices.entries())
    for (const [tour, { walk }] of tours.entries()) {
      const own = isMobile ? phoneSize : desktopSize;
      const options = { ...settings, viewport: own, isMobile, hasTouch: isMobile, reducedMotion: 'reduce' } as const;
      const page = await browser.newPage(options);
      const person = { firstName: 'Aïcha', lastName: 'Ouédraogo', phone: `760000${device}${tour}` };
      await walk(page, product, person, async (name) => {
        const toast = page.getByRole('button', { name: 'Fermer le message' });
        if (await toast.isVisible()) await toast.click();
        for (const [size, viewport] of Object.entries(sizes)) {
          await page.setViewportSize(viewport);
          // Two frames, so that the last change is painted.
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          await page.screenshot({ path: path.join(folder, `${name}-${size}.png`) });
          console.log(`${name}-${size}.png`);
        }
        await page.setViewportSize(own);
      });
      await page.close();
    }
} finally {
  await browser.close();
  await product.stop();
}
