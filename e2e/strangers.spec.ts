import { request } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { makeDataFolder, startProduct } from './product.ts';
import { enterAsAdministrator } from './steps.ts';

test('administrators are warned of whom somebody guesses at, and sign in all the same @slow', async ({ page }) => {
  const product = await startProduct(makeDataFolder(), { TRUST_PROXY: '127.0.0.1/32' });
  try {
    await enterAsAdministrator(page, product);
    const warning = page.getByRole('alert').filter({ hasText: "Quelqu'un essaie des mots de passe" });
    await expect(page.getByText('Activité récente')).toBeVisible();
    await expect(warning).toBeHidden();
    // From twenty addresses, since each may fail only a few times.
    const guess = { phoneOrEmail: product.administrator.phone, password: 'deviné' };
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` });
    for (let n = 1; n <= 20; n += 1) {
      const answer = await request.newContext({ baseURL: product.url, extraHTTPHeaders: from(n) });
      expect((await answer.post('/api/auth/signin', { data: guess })).status()).toBe(401);
      await answer.dispose();
    }
    await enterAsAdministrator(page, product);
    await expect(warning).toContainText('Administrateur Guichet');
    await expect(warning).toContainText('(administrateur)');
    await expect(warning).toContainText('20 essais manqués de suite');
    for (const viewport of [phoneSize, desktopSize]) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await findViolations(page)).toEqual([]);
    }
    await warning.getByRole('link', { name: /Administrateur Guichet/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Administrateur Guichet' })).toBeVisible();
  } finally {
    await page.goto('about:blank');
    await product.stop();
  }
});
