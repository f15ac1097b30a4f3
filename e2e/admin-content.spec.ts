import type { Page } from '@playwright/test';
import type { ContentPage } from '#contract/content-pages.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAsAdministrator, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator } from './steps.ts';

test.use({ viewport: desktopSize });

const address = '/api/admin/content-pages';

const slugOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** The page's row on a desktop, or its card on a phone. */
const lineOf = (page: Page, title: string) =>
  page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ has: page.getByRole('button', { name: `Modifier la page ${title}`, exact: true }) });

/** Opens the editor of a page; without one, of a new one. */
async function openEditor(page: Page, title?: string) {
  const opener = title ? `Modifier la page ${title}` : 'Nouvelle Page';
  await page.getByRole('button', { name: opener, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: title ? 'Modifier la page' : 'Nouvelle Page' });
  await expect(dialog).toBeVisible();
  return {
    dialog,
    title: dialog.getByLabel('Titre *'),
    slug: dialog.getByLabel('Adresse (slug) *'),
    content: dialog.getByLabel('Contenu *'),
    isActive: dialog.getByRole('switch', { name: 'Active' }),
    preview: dialog.getByRole('region', { name: 'Aperçu' }),
    save: () => dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click(),
  };
}

test('a page is written with a preview, changed, switched off and deleted; required fields and a taken slug are told at their field', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('404 /api/content-pages/', '409 /api/admin/content-pages');
  const admin = await callAsAdministrator(product);
  const pages = (await admin.send('GET', address)) as ContentPage[];
  const title = uniqueName('Aide');
  const line = lineOf(page, title);
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/content');
  const created = await openEditor(page);
  await created.content.fill('   ');
  await created.save();
  for (const [field, problem] of [
    [created.title, 'Ce champ est requis.'],
    [created.slug, 'Lettres minuscules, chiffres et tirets.'],
    [created.content, 'Ce champ est requis.'],
  ] as const) {
    await expect(field).toHaveAttribute('aria-required', 'true');
    await expect(field).toHaveAccessibleDescription(problem);
  }
  await expect(created.title).toBeFocused();
  await created.title.fill(title);
  await expect(created.slug).toHaveValue(slugOf(title));
  await created.content.fill('## Joindre le support\nAppelez-nous.\nDu lundi au samedi.\n### <b>gras</b>');
  await expect(created.preview.getByRole('heading', { level: 2, name: 'Joindre le support' })).toBeVisible();
  await expect(created.preview.getByRole('heading', { level: 3, name: '<b>gras</b>' })).toBeVisible();
  await expect(created.isActive).toBeChecked();
  await created.slug.fill(pages[0]?.slug ?? '');
  await created.save();
  await expect(created.slug).toHaveAccessibleDescription('Cette adresse de page est déjà utilisée.');
  await expect(created.slug).toBeFocused();
  await created.slug.fill(slugOf(title));
  await created.save();
  await expect(page.getByText('Page créée', { exact: true })).toBeVisible();
  await expect(created.dialog).toBeHidden();
  await expect(line.getByText(`/${slugOf(title)}`)).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(`${product.url}/content/${slugOf(title)}`);
  await expect(visitor.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 2, name: 'Joindre le support' })).toBeVisible();
  await expect(visitor.getByText('Appelez-nous.')).toHaveText('Appelez-nous.\nDu lundi au samedi.');

  await page.setViewportSize(desktopSize);
  await expect(page.getByRole('columnheader')).toHaveText(['Page', 'Dernière modification', 'Active', 'Actions']);
  await expect(line.getByRole('link')).toHaveAttribute('href', `/content/${slugOf(title)}`);
  const date = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', day: '2-digit', month: '2-digit' });
  await expect(line).toContainText(date.format(new Date()));
  const changed = await openEditor(page, title);
  await expect(changed.title).toHaveValue(title);
  await changed.content.fill('Écrivez-nous.');
  await changed.save();
  await expect(page.getByText('Page mise à jour', { exact: true })).toBeVisible();
  await expect(changed.dialog).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByText('Écrivez-nous.')).toBeVisible();

  const toggle = line.getByRole('switch', { name: `Page ${title} active` });
  await toggle.click();
  await expect(page.getByText(`${title} : inactive.`)).toBeVisible();
  await expect(toggle).not.toBeChecked();
  await expect(line.getByRole('link')).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
  await expect(visitor.getByText("La page demandée n'existe pas.")).toBeVisible();
  await visitor.close();

  await line.getByRole('button', { name: `Supprimer la page ${title}` }).click();
  const question = page.getByRole('dialog', { name: 'Supprimer cette page ?' });
  await question.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByText('Page supprimée', { exact: true })).toBeVisible();
  await expect(line).toHaveCount(0);
  expect(await admin.send('GET', address)).toEqual(pages);
});
