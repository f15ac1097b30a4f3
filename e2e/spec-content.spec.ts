import { expect, test } from './branch.ts';
import { uniqueName } from './caller.ts';
import { linesOf } from './layout.ts';
import { enterAsGuest } from './steps.ts';

test('P12.1, content page: title, body with breaks and headings of ## and ###, and a back button', async ({
  page,
  product,
  branch,
}) => {
  const title = uniqueName('Page');
  const slug = title.toLowerCase().replace(' ', '-');
  const content = '## Premier titre\nUne ligne\nune autre\n### Second titre\nLa fin';
  await branch.admin.send('POST', '/api/admin/content-pages', { slug, title, content, isActive: true });
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await page.evaluate((path) => history.pushState(null, '', path), `/content/${slug}`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Premier titre' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'Second titre' })).toBeVisible();
  await expect(page.getByText('#')).toHaveCount(0);
  // Every kind of line break is drawn.
  expect(await linesOf(page.getByText(/^Une ligne/))).toBe(2);
  await expect(page.getByText(/^Modifié le \d+(er)? \S+ \d{4}$/)).toBeVisible();
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page).toHaveURL(`${product.url}/`);
  // Whoever uses the app keeps its bar.
  await enterAsGuest(page, product);
  await page.goto(`${product.url}/content/${slug}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.getByRole('navigation', { name: 'Navigation principale' }).getByRole('link', { name: 'Accueil' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
});
