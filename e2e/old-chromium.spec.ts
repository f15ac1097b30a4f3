import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { browserOptions } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { password } from './people.ts';
import { confirmOrder, drillDown, enterAsGuest, enterCode, fillSignUp, signIn, toBundle } from './steps.ts';

/** The Chromium of its package, for Linux on x64, unpacked once. Elsewhere the tests' own: it tells nothing of old ones. */
async function unpackChromium(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return findChromium() ?? 'chromium';
  const main = createRequire(import.meta.url).resolve('chromium-103');
  const packed = path.resolve(path.dirname(main), '../bin/chromium.br');
  const unpacked = path.resolve(import.meta.dirname, '../node_modules/.cache/guichet-chromium-103');
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(path.dirname(unpacked), { recursive: true });
  writeFileSync(`${unpacked}.new`, await promisify(brotliDecompress)(readFileSync(packed)), { mode: 0o755 });
  renameSync(`${unpacked}.new`, unpacked);
  return unpacked;
}

test('in Chromium 103, the oldest one, a person looks round as a guest, signs up, orders to the code, and signs in', async ({
  product,
}) => {
  const { launchOptions, ...phone } = browserOptions;
  const browser = await chromium.launch({ ...launchOptions, executablePath: await unpackChromium() });
  try {
    const page = await browser.newPage(phone);
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    // Playwright's own code calls a function of Chromium 105 in its world, which has a name; the app's world lacks it.
    const expression = 'Element.prototype.checkVisibility ??= function () { return this.getClientRects().length > 0; }';
    const devtools = await page.context().newCDPSession(page);
    devtools.on('Runtime.executionContextCreated', ({ context: { id: contextId, name: world } }) => {
      if (world) devtools.send('Runtime.evaluate', { contextId, expression }).catch(() => {});
    });
    await devtools.send('Runtime.enable');
    const person = { firstName: 'Rasmata', lastName: 'Ilboudo', phone: '70103103' };
    await enterAsGuest(page, product);
    await page.goto(`${product.url}/auth`);
    await fillSignUp(page, person);
    await enterCode(page, product, person);
    await drillDown(page, toBundle);
    const code = await confirmOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
    expect(code).toBe('*144*10*00000000*1050#');
    await page.getByRole('button', { name: "Retour à l'accueil" }).click();
    await page.getByRole('link', { name: 'Paramètres' }).click();
    await page.getByRole('button', { name: 'Se déconnecter' }).click();
    await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
    await signIn(page, product, person.phone, password, `Bonjour ${person.firstName}`);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});
