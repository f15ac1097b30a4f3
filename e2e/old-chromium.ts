import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { chromium, expect, type Page } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { browserOptions } from './browser.ts';
import { type Person, password } from './people.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterAsGuest, enterCode, fillSignUp, signIn, toBundle } from './steps.ts';

/**
 * The Chromium of a package that has one as `bin/chromium.br` for Linux on x64, found from a file beside it, unpacked
 * once. Elsewhere the tests' own: it tells nothing of old ones.
 */
async function unpackChromium(name: string, from: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return findChromium() ?? 'chromium';
  const packed = path.resolve(path.dirname(createRequire(from).resolve(name)), '../bin/chromium.br');
  const unpacked = path.resolve(import.meta.dirname, `../node_modules/.cache/guichet-${name}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(path.dirname(unpacked), { recursive: true });
  writeFileSync(`${unpacked}.new`, await promisify(brotliDecompress)(readFileSync(packed)), { mode: 0o755 });
  renameSync(`${unpacked}.new`, unpacked);
  return unpacked;
}

/**
 * Runs an old Chromium with a phone's page for as long as `use` takes; fails on an uncaught exception and on an error of
 * the console.
 */
export async function inOldChromium(name: string, from: string, use: (page: Page) => Promise<void>): Promise<void> {
  const { launchOptions, ...phone } = browserOptions;
  const browser = await chromium.launch({ ...launchOptions, executablePath: await unpackChromium(name, from) });
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
    await use(page);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}

/** What people come for: a look as a guest, a sign-up, an order to its code, a sign-out and a sign-in. */
export async function doMainJob(page: Page, product: Product, person: Person): Promise<void> {
  await enterAsGuest(page, product);
  await page.goto(`${product.url}/auth`);
  await fillSignUp(page, person);
  await enterCode(page, product, person);
  await drillDown(page, toBundle);
  const code = await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
  expect(code).toBe('*144*10*00000000*1050#');
  await page.getByRole('button', { name: "Retour à l'accueil" }).click();
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await signIn(page, product, person.phone, password, `Bonjour ${person.firstName}`);
}
