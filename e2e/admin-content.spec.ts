import type { Page } from '@playwright/test';
import type { ContentPage } from '#contract/content-pages.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAsAdministrator, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { closeMessage } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

test.use({ viewport: desktopSize });

const address = '/api/admin/content-pages';

/** Creates a page through the API. */
async function addPage(admin: Caller, word: string, content = 'Un texte.', isActive = true): Promise<ContentPage> {
  const title = uniqueName(word);
  return (await admin.send('POST', address, { slug: slugOf(title), title, content, isActive })) as ContentPage;
}

async function readStored(admin: Caller, title: string): Promise<ContentPage | undefined> {
  return ((await admin.send('GET', address)) as ContentPage[]).find((each) => each.title === title);
}

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

test('title, /slug, last-modified date, active toggle, edit, delete', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const active = await addPage(admin, 'Liste');
  const inactive = await addPage(admin, 'Brouillon', 'Pas encore.', false);
  await enterAsAdministrator(page, product, '/admin/content');
  await expect(page.getByRole('columnheader')).toHaveText(['Page', 'Dernière modification', 'Active', 'Actions']);
  for (const each of [active, inactive]) {
    const line = lineOf(page, each.title);
    await expect(line.getByText(`/${each.slug}`)).toBeVisible();
    const date = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', day: '2-digit', month: '2-digit' });
    await expect(line).toContainText(date.format(new Date(each.updatedAt)));
    await expect(line.getByRole('switch')).toBeChecked({ checked: each.isActive });
    await expect(line.getByRole('button', { name: `Supprimer la page ${each.title}`, exact: true })).toBeVisible();
  }
  await expect(lineOf(page, active.title).getByRole('link')).toHaveAttribute('href', `/content/${active.slug}`);
  await expect(lineOf(page, inactive.title).getByRole('link')).toHaveCount(0);
});

test('“Nouvelle Page” opens a dialog with a live preview; “Page créée/mise à jour/supprimée”; inactive is “Page non trouvée”', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('404 /api/content-pages/');
  const title = uniqueName('Aide');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/content');
  const created = await openEditor(page);
  await created.title.fill(title);
  await expect(created.slug).toHaveValue(slugOf(title));
  await expect(created.preview).toContainText('Le texte apparaîtra ici.');
  await created.content.fill('## Joindre le support\nAppelez-nous.\nDu lundi au samedi.\n### <b>gras</b>');
  await expect(created.preview.getByRole('heading', { level: 2, name: 'Joindre le support' })).toBeVisible();
  await expect(created.preview.getByRole('heading', { level: 3, name: '<b>gras</b>' })).toBeVisible();
  await expect(created.isActive).toBeChecked();
  await created.save();
  await expect(page.getByText('Page créée', { exact: true })).toBeVisible();
  await expect(created.dialog).toBeHidden();
  await expect(lineOf(page, title).getByText(`/${slugOf(title)}`)).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(`${product.url}/content/${slugOf(title)}`);
  await expect(visitor.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 2, name: 'Joindre le support' })).toBeVisible();
  await expect(visitor.getByText('Appelez-nous.')).toHaveText('Appelez-nous.\nDu lundi au samedi.');

  await page.setViewportSize(desktopSize);
  const changed = await openEditor(page, title);
  await expect(changed.title).toHaveValue(title);
  await changed.content.fill('Écrivez-nous.');
  await changed.save();
  await expect(page.getByText('Page mise à jour', { exact: true })).toBeVisible();
  await expect(changed.dialog).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByText('Écrivez-nous.')).toBeVisible();
  await expect(visitor.getByText('Appelez-nous.')).toBeHidden();

  await closeMessage(page);
  const toggle = lineOf(page, title).getByRole('switch', { name: `Page ${title} active` });
  await toggle.click();
  await expect(page.getByText(`${title} : inactive.`)).toBeVisible();
  await expect(page.getByText('Page mise à jour', { exact: true })).toBeVisible();
  await expect(toggle).not.toBeChecked();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
  await expect(visitor.getByText("La page demandée n'existe pas.")).toBeVisible();
  await toggle.click();
  await expect(page.getByText(`${title} : active.`)).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText('Écrivez-nous.')).toBeVisible();

  await lineOf(page, title)
    .getByRole('button', { name: `Supprimer la page ${title}` })
    .click();
  const question = page.getByRole('dialog', { name: 'Supprimer cette page ?' });
  await question.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByText('Page supprimée', { exact: true })).toBeVisible();
  await expect(lineOf(page, title)).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
  await visitor.close();
});

test('slug, title and content are required, and a slug is unique: told at each field, nothing is sent, and what is written stays', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/content-pages');
  const admin = await callAsAdministrator(product);
  const taken = await addPage(admin, 'Prise');
  const title = uniqueName('Seconde');
  await enterAsAdministrator(page, product, '/admin/content');
  const fields = await openEditor(page);
  await fields.content.fill('   ');
  await fields.save();
  for (const field of [fields.title, fields.slug, fields.content]) {
    await expect(field).toHaveAttribute('aria-required', 'true');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
  await expect(fields.title).toBeFocused();
  await expect(fields.title).toHaveAccessibleDescription('Ce champ est requis.');
  await expect(fields.slug).toHaveAccessibleDescription('Lettres minuscules, chiffres et tirets.');
  await expect(fields.content).toHaveAccessibleDescription('Ce champ est requis.');
  await fields.title.fill(title);
  await fields.slug.fill(taken.slug);
  await fields.content.fill('Mon texte.');
  await fields.save();
  await expect(fields.slug).toHaveAccessibleDescription('Cette adresse de page est déjà utilisée.');
  await expect(fields.slug).toBeFocused();
  await expect(fields.content).toHaveValue('Mon texte.');
  expect(await readStored(admin, title)).toBeUndefined();
  await fields.slug.fill(slugOf(title));
  await fields.save();
  await expect(page.getByText('Page créée', { exact: true })).toBeVisible();
  expect(await readStored(admin, title)).toMatchObject({ slug: slugOf(title), content: 'Mon texte.', isActive: true });
});
