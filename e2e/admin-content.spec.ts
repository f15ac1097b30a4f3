import type { Locator, Page } from '@playwright/test';
import { desktopSize, phoneSize } from './browser.ts';
import { callAsAdministrator, uniqueName } from './caller.ts';
import { installClock } from './clock.ts';
import { addPage, address, answerLeaving, lineOf, openNew, openStored, readStored, slugOf } from './content-tab.ts';
import { expect, test } from './fixtures.ts';
import { closeMessage } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

test.use({ viewport: desktopSize });

test('title, /slug, last-modified date, active toggle, edit, delete', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const active = await addPage(admin, 'Liste');
  const inactive = await addPage(admin, 'Brouillon', 'Pas encore.', false);
  await enterAsAdministrator(page, product, '/admin/content');
  for (const size of [desktopSize, phoneSize]) {
    await page.setViewportSize(size);
    for (const each of [active, inactive]) {
      const line = lineOf(page, each.title);
      await expect(line.getByText(each.title, { exact: true })).toBeVisible();
      await expect(line.getByText(`/${each.slug}`)).toBeVisible();
      const date = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', day: '2-digit', month: '2-digit' });
      await expect(line).toContainText(date.format(new Date(each.updatedAt)));
      await expect(line.getByRole('switch')).toBeChecked({ checked: each.isActive });
      for (const name of [`Modifier la page ${each.title}`, `Supprimer la page ${each.title}`])
        await expect(line.getByRole('button', { name, exact: true })).toBeVisible();
    }
    await expect(lineOf(page, active.title).getByRole('link')).toHaveAttribute('href', `/content/${active.slug}`);
    await expect(lineOf(page, inactive.title).getByRole('link')).toHaveCount(0);
    if (size === desktopSize)
      await expect(page.getByRole('columnheader')).toHaveText(['Page', 'Dernière modification', 'Active', 'Actions']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});

test('“Nouvelle Page” opens a dialog; “Page créée/mise à jour/supprimée”; inactive is “Page non trouvée”', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('404 /api/content-pages/');
  const title = uniqueName('Aide');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/content');
  const created = await openNew(page);
  await created.title.fill(title);
  await expect(created.slug).toHaveValue(slugOf(title));
  await created.content.fill('## Joindre le support\nAppelez-nous.\nDu lundi au samedi.');
  await expect(created.isActive).toBeChecked();
  await created.dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await expect(page.getByText('Page créée', { exact: true })).toBeVisible();
  await expect(created.dialog).toBeHidden();
  await expect(lineOf(page, title).getByText(`/${slugOf(title)}`)).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(`${product.url}/content/${slugOf(title)}`);
  await expect(visitor.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 2, name: 'Joindre le support' })).toBeVisible();
  await expect(visitor.getByText('Appelez-nous.')).toHaveText('Appelez-nous.\nDu lundi au samedi.');

  await page.setViewportSize(desktopSize);
  const changed = await openStored(page, title);
  await expect(changed.title).toHaveValue(title);
  await changed.content.fill('Écrivez-nous.');
  await changed.dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
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

  await page.setViewportSize(phoneSize);
  const remove = lineOf(page, title).getByRole('button', { name: `Supprimer la page ${title}` });
  await remove.click();
  const question = page.getByRole('dialog', { name: 'Supprimer cette page ?' });
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(lineOf(page, title)).toBeVisible();
  await page.setViewportSize(desktopSize);
  await remove.click();
  await question.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByText('Page supprimée', { exact: true })).toBeVisible();
  await expect(lineOf(page, title)).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
  await visitor.close();
});

test('closing, Escape and back never lose unsaved text; a reload offers it again', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const { title } = await addPage(admin, 'Gardee', 'Avant.');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/content');
  const editor = await openStored(page, title);
  await editor.content.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Ce que personne ne doit perdre.');
  for (const leave of [
    () => editor.dialog.getByRole('button', { name: 'Annuler' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => page.goBack(),
  ]) {
    await leave();
    await answerLeaving(page, 'Annuler');
    await expect(editor.content).toHaveValue('Ce que personne ne doit perdre.');
    await expect(page).toHaveURL(/[?&]page=\d+/);
  }
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload();
  const unload = await asked;
  expect(unload.type()).toBe('beforeunload');
  await unload.accept();
  await reloading;
  await expect(editor.dialog).toContainText('Un texte non enregistré a été retrouvé');
  await expect(editor.dialog).toContainText('Ce que personne ne doit perdre.');
  await editor.dialog.getByRole('button', { name: /^Reprendre le brouillon du / }).click();
  await expect(editor.content).toHaveValue('Ce que personne ne doit perdre.');
  expect((await readStored(admin, title))?.content).toBe('Avant.');

  await editor.dialog.getByRole('button', { name: 'Annuler' }).click();
  await answerLeaving(page, 'Abandonner');
  await expect(editor.dialog).toBeHidden();
  await openStored(page, title);
  await expect(editor.content).toHaveValue('Avant.');
  await page.keyboard.press('Escape');
  await expect(editor.dialog).toBeHidden();
});

test('slug, title and content are required: told at each field, and nothing is sent', async ({ page, product }) => {
  await enterAsAdministrator(page, product, '/admin/content');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  const { dialog, ...fields } = await openNew(page);
  await fields.content.fill('   ');
  await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  for (const field of [fields.title, fields.slug, fields.content]) {
    await expect(field).toHaveAttribute('aria-required', 'true');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
  await expect(fields.title).toBeFocused();
  await expect(fields.title).toHaveAccessibleDescription('Ce champ est requis.');
  await expect(fields.slug).toHaveAccessibleDescription('Lettres minuscules, chiffres et tirets.');
  await expect(fields.content).toHaveAccessibleDescription('Ce champ est requis.');
  expect(sent).toEqual([]);
});

test('a slug is unique: a taken one is told at its field, and what is written stays', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/content-pages');
  const admin = await callAsAdministrator(product);
  const taken = await addPage(admin, 'Prise');
  const title = uniqueName('Seconde');
  await enterAsAdministrator(page, product, '/admin/content');
  const { dialog, ...fields } = await openNew(page);
  await fields.title.fill(title);
  await fields.slug.fill(taken.slug);
  await fields.content.fill('Mon texte.');
  await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await expect(fields.slug).toHaveAccessibleDescription('Cette adresse de page est déjà utilisée.');
  await expect(fields.slug).toBeFocused();
  await expect(fields.content).toHaveValue('Mon texte.');
  expect(await readStored(admin, title)).toBeUndefined();
  await fields.slug.fill(slugOf(title));
  await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await expect(page.getByText('Page créée', { exact: true })).toBeVisible();
  expect(await readStored(admin, title)).toMatchObject({ slug: slugOf(title), content: 'Mon texte.', isActive: true });
});

test('live preview: “##” and “###” become headings, line breaks breaks', async ({ page, browser, product }) => {
  await enterAsAdministrator(page, product, '/admin/content');
  const title = uniqueName('Aperçu');
  const { dialog, preview, ...fields } = await openNew(page);
  await expect(preview).toContainText('Le texte apparaîtra ici.');
  await fields.title.fill(title);
  await fields.slug.fill(uniqueName('apercu').replace(' ', '-'));
  await fields.content.fill('## Tarifs');
  await expect(preview.getByRole('heading', { level: 2, name: 'Tarifs', exact: true })).toBeVisible();
  await fields.content.fill('## Tarifs\n### En ligne\nPremière ligne\n<b>gras</b>\n#sans');
  await expect(preview.getByRole('heading', { level: 3, name: 'En ligne', exact: true })).toBeVisible();
  await expect(preview).toContainText(title);
  const slug = await fields.slug.inputValue();
  const drawn = 'Première ligne\n<b>gras</b>\n#sans';
  expect(await preview.locator('p', { hasText: 'Première ligne' }).textContent()).toBe(drawn);
  await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await expect(dialog).toBeHidden();
  const visitor = await browser.newPage();
  await visitor.goto(`${product.url}/content/${slug}`);
  await expect(visitor.getByRole('heading')).toHaveText([title, 'Tarifs', 'En ligne']);
  expect(await visitor.locator('p', { hasText: 'Première ligne' }).textContent()).toBe(drawn);
  await visitor.close();
});

test('two administrators on one page lose nothing: both texts, “Enregistrer quand même”', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/content-pages/');
  const colleague = await callAsAdministrator(product);
  const { id, title } = await addPage(colleague, 'Deux', 'Première ligne.\nDeuxième ligne.');
  const change = (content: string) => colleague.send('PUT', `${address}/${id}`, { content });
  await enterAsAdministrator(page, product, '/admin/content');
  const { dialog, content } = await openStored(page, title);
  await content.fill('Première ligne.\nMa deuxième ligne.');
  await change('Première ligne.\nSa deuxième ligne.');
  const refused = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  expect((await refused).status()).toBe(409);
  const theirs = dialog.getByRole('region', { name: "Version de l'autre administrateur" });
  await expect(theirs).toContainText('Première ligne.');
  await expect(theirs.locator('mark')).toHaveText(['Sa deuxième ligne.']);
  await expect(content).toHaveValue('Première ligne.\nMa deuxième ligne.');
  expect((await readStored(colleague, title))?.content).toBe('Première ligne.\nSa deuxième ligne.');

  // The colleague's next save is also unseen.
  await change('Première ligne.\nSa troisième ligne.');
  await dialog.getByRole('button', { name: 'Enregistrer quand même' }).click();
  await expect(theirs.locator('mark')).toHaveText(['Sa troisième ligne.']);
  expect((await readStored(colleague, title))?.content).toBe('Première ligne.\nSa troisième ligne.');
  await dialog.getByRole('button', { name: 'Enregistrer quand même' }).click();
  await expect(page.getByText('Page mise à jour', { exact: true })).toBeVisible();
  expect((await readStored(colleague, title))?.content).toBe('Première ligne.\nMa deuxième ligne.');
});

test('a poll tells that the page was changed or deleted, and wipes nothing typed', async ({ page, product }) => {
  const colleague = await callAsAdministrator(product);
  const stored = await addPage(colleague, 'Relue', 'Avant.');
  await installClock(page);
  await enterAsAdministrator(page, product, '/admin/content');
  const { dialog, content } = await openStored(page, stored.title);
  await content.click();
  await page.keyboard.type('Ma phrase en cours. ');
  const written = await content.inputValue();
  const poll = async () => {
    const polled = page.waitForResponse((answer) => answer.url().endsWith(address));
    await page.clock.runFor(30_000);
    await polled;
  };
  await colleague.send('PUT', `${address}/${stored.id}`, { content: 'Après.' });
  await poll();
  await expect(dialog.getByRole('region', { name: "Version de l'autre administrateur" })).toContainText('Après.');
  await expect(content).toHaveValue(written);
  await expect(content).toBeFocused();
  await page.keyboard.type('Et la suite. ');
  const whole = await content.inputValue();
  expect(whole).toContain('Ma phrase en cours. Et la suite. ');

  await colleague.send('DELETE', `${address}/${stored.id}`);
  await poll();
  await expect(dialog.getByText('Un autre administrateur vient de supprimer cette page.')).toBeVisible();
  await expect(content).toHaveValue(whole);
  await dialog.getByRole('button', { name: 'Recréer la page' }).click();
  await expect(dialog).toBeHidden();
  expect((await readStored(colleague, stored.title))?.content).toBe(whole.trim());
});

/** Presses Tab until the target has the focus. */
async function _tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let pressed = 0; pressed < 200 && !(await isThere()); pressed += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}
