import type { AdminService } from '#contract/catalogue.ts';
import { untilAnswered } from './answers.ts';
import { edit, editorOf, expand, expect, lineOf, save, saveChange, test, visit } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { enterAsAdministrator } from './steps.ts';

const path = '/admin/services';

test.use({ viewport: desktopSize });

test('Nouveau Service creates, says Service créé, shows it in the tree, and the visitor sees it', async ({
  page,
  product,
  branch,
}) => {
  await branch.add('Déjà là', { sortOrder: 40 });
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  const form = editorOf(page, 'Nouveau service');
  await form.getByLabel('Nom du service *').fill('Envoi rapide');
  await form.getByLabel('Description').fill('Vers tous les réseaux');
  await form.getByLabel('Prix', { exact: true }).fill('À partir de 500 FCFA');
  await form.getByLabel('Service parent').selectOption(String(branch.root.id));
  await expect(form.getByText(`Niveau 2 : ${branch.root.name}`)).toBeVisible();
  await save(form);
  await expect(page.getByText('Service créé')).toBeVisible();
  await expect(form).toBeHidden();
  const stored = await branch.find('Envoi rapide');
  expect(stored).toMatchObject({
    level: 2,
    parentId: branch.root.id,
    price: 'À partir de 500 FCFA',
    isVisible: true,
    isFinalLevel: false,
    textSize: 'medium',
    textColor: '#1E293B',
    textStyle: 'normal',
  });
  expect(await branch.names()).toEqual(['Déjà là', 'Envoi rapide']);
  await expect(lineOf(page, stored as AdminService)).toBeFocused();
  const visitor = await visit(page, product, branch.root);
  await expect(visitor.getByRole('button', { name: /Envoi rapide/ })).toContainText('À partir de 500 FCFA');
  await visitor.close();
});

test('a change says Service mis à jour, and sends only what was changed', async ({ page, product, branch }) => {
  const service = await branch.add('Avant', {
    description: 'Reste',
    isFinalLevel: true,
    commissionType: 'percentage',
    commissionValue: 2.5,
    operatorNote: 'Reste aussi',
  });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await expect(form.getByLabel('Valeur (%)')).toHaveValue('2,5');
  await form.getByLabel('Nom du service *').fill('Après');
  await form.getByLabel('Visible').uncheck();
  await form.getByLabel('Prix personnalisé').check();
  // A reverted change is no change.
  await form.getByLabel('Description').fill('Autre');
  await form.getByLabel('Description').fill('Reste');
  expect(await saveChange(page, form)).toEqual({
    parts: ['data'],
    data: { name: 'Après', isVisible: false, allowUserPriceInput: true },
  });
  const { updatedAt: _, ...before } = service;
  expect(await branch.find('Après')).toMatchObject({
    ...before,
    name: 'Après',
    isVisible: false,
    allowUserPriceInput: true,
  });
  await expect(lineOf(page, service).getByText('Masqué', { exact: true })).toBeVisible();
  const seen = await page.request.get(`${product.url}/api/services?parentId=${branch.root.id}`);
  expect(await seen.json()).toEqual([]);
});

test('what is unsaved is not dropped unasked: not by closing it, nor by leaving the page', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Stable');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, path);
  let form = await edit(page, branch, service);
  await form.getByRole('button', { name: 'Annuler' }).click();
  await expect(form).toBeHidden();
  await page.setViewportSize(desktopSize);
  form = await edit(page, branch, service);
  await form.getByLabel('Nom du service *').fill('Commencé');
  await form.getByRole('button', { name: 'Annuler' }).click();
  const asking = page.getByRole('dialog', { name: 'Abandonner vos modifications ?' });
  await asking.getByRole('button', { name: 'Annuler' }).click();
  await expect(form.getByLabel('Nom du service *')).toHaveValue('Commencé');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await form.getByRole('button', { name: 'Annuler' }).click();
  await asking.getByRole('button', { name: 'Abandonner' }).click();
  await expect(form).toBeHidden();
  expect(await branch.names()).toEqual(['Stable']);
});

test('P15.14 beside the tree Escape closes the form, after a question if something is unsaved, and the form is as tall as the screen lets it', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Haut');
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const room = () => form.evaluate((element) => innerHeight - element.getBoundingClientRect().bottom);
  await expect.poll(room).toBeLessThan(17);
  expect((await form.boundingBox())?.y).toBe((await page.getByRole('tree').boundingBox())?.y);
  await page.evaluate(() => scrollTo(0, 120));
  await expect.poll(room).toBeLessThan(17);
  await form.getByLabel('Nom du service *').fill('Haut et clair');
  await page.keyboard.press('Escape');
  const asking = page.getByRole('dialog', { name: 'Abandonner vos modifications ?' });
  await page.keyboard.press('Escape');
  await expect(asking).toBeHidden();
  await expect(form.getByLabel('Nom du service *')).toHaveValue('Haut et clair');
  await form.getByLabel('Nom du service *').fill('Haut');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
});

test('the name is required: Nom du service *', async ({ page, product, branch, provoke }) => {
  provoke('400 /api/services');
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  const form = editorOf(page, 'Nouveau service');
  await form.getByLabel('Service parent').selectOption(String(branch.root.id));
  await form.getByLabel('Nom du service *').fill('   ');
  await save(form);
  await expect(form.getByText('Le nom du service est requis.')).toBeVisible();
  await expect(form.getByLabel('Nom du service *')).toBeFocused();
  await expect(form.getByLabel('Nom du service *')).toHaveAttribute('aria-invalid', 'true');
  expect(await branch.names()).toEqual([]);
});

test('moving a branch by its parent changes the level of everything below it', async ({ page, product, branch }) => {
  const target = await branch.add('Cible');
  const inner = await branch.add('Cible intérieure', { parentId: target.id });
  const moved = await branch.add('Branche');
  const child = await branch.add('Enfant', { parentId: moved.id });
  await branch.add('Petit-enfant', { parentId: child.id });
  await enterAsAdministrator(page, product, path);
  await expand(page, branch.root, moved);
  const form = await edit(page, branch, moved);
  // It has two levels below it: it fits on the third level, not on the fourth.
  await expect(form.getByLabel('Service parent').locator(`option[value="${inner.id}"]`)).toHaveCount(0);
  await form.getByLabel('Service parent').selectOption(String(target.id));
  await expect(form.getByText(`Niveau 3 : ${branch.root.name} → Cible`)).toBeVisible();
  expect((await saveChange(page, form)).data).toEqual({ parentId: target.id });
  await expect(lineOf(page, moved)).toHaveAttribute('aria-level', '3');
  await expect(lineOf(page, child).getByText('Niveau 4', { exact: true })).toBeVisible();
  const levels = Object.fromEntries((await branch.read()).map(({ name, level }) => [name, level]));
  expect(levels).toMatchObject({ Branche: 3, Enfant: 4, 'Petit-enfant': 5 });
});

test('commission fields appear only for a final service, and the value is hidden for ranges', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Sans enfant');
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await expect(form.getByLabel('Type de commission')).toHaveCount(0);
  await form.getByLabel('Service final').check();
  await expect(form.getByLabel('Type de commission').locator('option')).toHaveText([
    'Fixe (FCFA)',
    'Pourcentage',
    'Par tranches',
  ]);
  await expect(form.getByLabel('Valeur (FCFA)')).toBeVisible();
  await form.getByLabel('Type de commission').selectOption('percentage');
  await expect(form.getByLabel('Valeur (%)')).toBeVisible();
  await form.getByLabel('Type de commission').selectOption('range');
  await expect(form.getByLabel(/^Valeur/)).toHaveCount(0);
  await expect(form.getByRole('group', { name: 'Tranches' })).toBeVisible();
  await form.getByLabel('Service final').uncheck();
  await expect(form.getByLabel('Type de commission')).toHaveCount(0);
  // A service with children cannot be ordered.
  await form.getByRole('button', { name: 'Annuler' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abandonner' }).click();
  const parent = await edit(page, branch, branch.root);
  await expect(parent.getByLabel('Service final')).toBeDisabled();
  await expect(parent.getByText('Impossible : il contient 1 service.')).toBeVisible();
});

test('the commission as it is edited is what /api/commission answers: fixed, percentage, ranges', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('400 /api/admin/services/');
  const service = await branch.add('Envoi', { isFinalLevel: true });
  const commissionOn = async (amount: number) => {
    const answer = await page.request.get(`${product.url}/api/commission/${service.id}?userPrice=${amount}`);
    return ((await answer.json()) as { commission: number }).commission;
  };
  await enterAsAdministrator(page, product, path);
  let form = await edit(page, branch, service);
  await form.getByLabel('Valeur (FCFA)').fill('150');
  expect((await saveChange(page, form)).data).toEqual({ commissionValue: 150 });
  expect(await commissionOn(10_000)).toBe(150);

  form = await edit(page, branch, service);
  await form.getByLabel('Type de commission').selectOption('percentage');
  await form.getByLabel('Valeur (%)').fill('101');
  await save(form);
  await expect(form.getByText('Un pourcentage ne dépasse pas 100.').first()).toBeVisible();
  await form.getByLabel('Valeur (%)').fill('2,5');
  await saveChange(page, form);
  expect(await commissionOn(10_000)).toBe(250);

  form = await edit(page, branch, service);
  await form.getByLabel('Type de commission').selectOption('range');
  await expect(form.getByText('À partir de 1 : aucune commission.')).toBeVisible();
  const add = form.getByRole('button', { name: 'Ajouter une tranche' });
  const cell = (row: number, name: string) => form.getByLabel(`Tranche ${row} : ${name}`);
  await add.click();
  await cell(1, 'maximum').fill('50 000');
  await cell(1, 'valeur').fill('300');
  await expect(form.getByText('À partir de 50 001 : aucune commission.')).toBeVisible();
  await add.click();
  await expect(cell(2, 'minimum')).toHaveValue(/^50.001$/);
  await cell(2, 'minimum').fill('40 000');
  await cell(2, 'type').selectOption('percentage');
  await cell(2, 'valeur').fill('1,5');
  await expect(form.getByText('Les tranches 1 et 2 se chevauchent de 40 000 à 50 000.')).toBeVisible();
  await save(form);
  await expect(form.getByText('Séparez les tranches qui se chevauchent.')).toBeVisible();
  await cell(2, 'minimum').fill('60 000');
  await expect(form.getByText('se chevauchent')).toHaveCount(0);
  await expect(form.getByText('De 50 001 à 59 999 : aucune commission.')).toBeVisible();
  await saveChange(page, form);
  expect(await Promise.all([50_000, 50_001, 59_999, 60_000, 100_000].map(commissionOn))).toEqual([
    300, 0, 0, 900, 1500,
  ]);

  form = await edit(page, branch, service);
  await form.getByRole('button', { name: 'Supprimer la tranche 1' }).click();
  await expect(form.getByText('De 1 à 59 999 : aucune commission.')).toBeVisible();
  await saveChange(page, form);
  expect(await commissionOn(50_000)).toBe(0);
});

test("a poll does not overwrite the form: a colleague's change is told, and both changes survive", async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Partagé', { price: '100 FCFA' });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const [name, price] = [form.getByLabel('Nom du service *'), form.getByLabel('Prix', { exact: true })];
  await name.fill('Le mien');
  await branch.change(service, { price: '200 FCFA' });
  await expect(form.getByText('Un autre administrateur vient de modifier ce service.')).toBeVisible();
  await expect(form.getByText('Changements : prix.')).toBeVisible();
  await expect(name).toHaveValue('Le mien');
  await expect(price).toHaveValue('100 FCFA');
  expect((await saveChange(page, form)).data).toEqual({ name: 'Le mien' });
  expect(await branch.find('Le mien')).toMatchObject({ price: '200 FCFA' });
});

test("Reprendre ces changements takes a colleague's fields over and keeps one's own", async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Partagé', { price: '100 FCFA' });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await form.getByLabel('Nom du service *').fill('Le mien');
  await branch.change(service, { name: 'Le sien', price: '200 FCFA', operatorNote: 'Vu' });
  await expect(form.getByText('Changements : nom, prix, note interne.')).toBeVisible();
  await form.getByRole('button', { name: 'Reprendre ces changements' }).click();
  await expect(form.getByText('Un autre administrateur vient de modifier ce service.')).toBeHidden();
  await expect(form.getByLabel('Nom du service *')).toHaveValue('Le mien');
  await expect(form.getByLabel('Prix', { exact: true })).toHaveValue('200 FCFA');
  await expect(form.getByLabel('Note interne')).toHaveValue('Vu');
  expect((await saveChange(page, form)).data).toEqual({ name: 'Le mien' });
});

test('a service that a colleague deletes is told of and can no longer be saved', async ({ page, product, branch }) => {
  const service = await branch.add('Éphémère');
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await form.getByLabel('Description').fill('Trop tard');
  await branch.admin.send('DELETE', `/api/admin/services/${service.id}`);
  await expect(form.getByText('Un autre administrateur vient de supprimer ce service.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Enregistrer' })).toBeDisabled();
  await expect(form.getByLabel('Description')).toHaveValue('Trop tard');
});

test("a failure is a toast Erreur with the server's message, else the screen's own, and the form stays", async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('502 /api/', '404 /api/admin/services/');
  const service = await branch.add('Perdu');
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const alert = page.getByRole('alert');
  await form.getByLabel('Description').fill('Écrit');
  await page.route(`**/api/admin/services/${service.id}`, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await save(form);
  await expect(alert.filter({ hasText: 'Erreur' })).toContainText("Le service n'a pas pu être mis à jour.");
  await page.unroute(`**/api/admin/services/${service.id}`);
  // The tab does not learn of the deletion before it saves.
  await page.route('**/api/admin/services', (route) => route.abort());
  await untilAnswered(page);
  await branch.admin.send('DELETE', `/api/admin/services/${service.id}`);
  await save(form);
  await expect(alert.filter({ hasText: 'Erreur' })).toContainText('Service introuvable.');
  await expect(form.getByLabel('Description')).toHaveValue('Écrit');
  await page.unroute('**/api/admin/services');

  await form.getByRole('button', { name: 'Annuler' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abandonner' }).click();
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  const created = editorOf(page, 'Nouveau service');
  await created.getByLabel('Nom du service *').fill('Jamais créé');
  await page.route('**/api/services', (route) => route.fulfill({ status: 502, body: '' }));
  await save(created);
  await expect(alert.filter({ hasText: 'Erreur' })).toContainText("Le service n'a pas pu être créé.");
  await expect(created.getByLabel('Nom du service *')).toHaveValue('Jamais créé');
});
