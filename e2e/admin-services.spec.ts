import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import type { AdminService } from '#contract/catalogue.ts';
import { choose, edit, editorOf, expand, expect, lineOf, save, saveChange, test, visit } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs } from './caller.ts';
import { enterAsAdministrator, openTab } from './steps.ts';

const path = '/admin/services';

/** The image is drawn, not only present. */
const expectDrawn = (image: Locator) =>
  expect.poll(() => image.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);

test.use({ viewport: desktopSize });

test('the tree from level 1 to 5: name, description, level, Service final, Masqué, number or code', async ({
  page,
  product,
  branch,
}) => {
  const { root } = branch;
  const second = await branch.add('Deuxième', { description: 'Ce que dit la carte' });
  const third = await branch.add('Troisième', { parentId: second.id, isVisible: false });
  const fourth = await branch.add('Quatrième', { parentId: third.id, phoneNumber: '+226 25 30 00 00' });
  const final = { isFinalLevel: true, phoneNumber: '*144*2*XX#' };
  const fifth = await branch.add('Cinquième', { parentId: fourth.id, ...final });
  await enterAsAdministrator(page, product, path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestion Hiérarchique des Services');
  await expand(page, root, second, third, fourth);
  for (const [index, service] of [root, second, third, fourth, fifth].entries()) {
    const line = lineOf(page, service);
    await expect(line).toHaveAttribute('aria-level', String(index + 1));
    await expect(line.getByText(`Niveau ${index + 1}`, { exact: true })).toBeVisible();
    await expect(line.getByText('Service final', { exact: true })).toHaveCount(service === fifth ? 1 : 0);
    await expect(line.getByText('Masqué', { exact: true })).toHaveCount(service === third ? 1 : 0);
  }
  for (const text of ['Ce que dit la carte', '+226 25 30 00 00', '*144*2*XX#'])
    await expect(page.getByRole('tree').getByText(text)).toBeVisible();
  // What is open stays open across a poll, and across another tab.
  const late = await branch.add('Venu après');
  await expect(lineOf(page, late)).toBeVisible();
  await openTab(page, 'Paiements');
  await expect(lineOf(page, fifth)).toBeHidden();
  await openTab(page, 'Services');
  await expect(lineOf(page, fifth)).toBeVisible();
});

test('the search opens the way to what it finds by name, path or code', async ({ page, product, branch }) => {
  const word = branch.root.name.slice(-8);
  const middle = await branch.add('Milieu');
  const byName = await branch.add(`Électricité ${word}`, { parentId: middle.id });
  const byCode = await branch.add('Par code', { isFinalLevel: true, phoneNumber: '*777*31*XX#' });
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  const search = page.getByLabel('Rechercher dans le catalogue');
  await search.fill(`ELECTRICITE ${word}`);
  await expect(page.getByText('1 service trouvé', { exact: true })).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await expect(lineOf(page, byName)).toBeVisible();
  await search.fill('*777*31');
  await expect(lineOf(page, byCode)).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await search.fill(`${word} nulle part`);
  await expect(page.getByText('Aucun service trouvé')).toBeVisible();
  await search.fill('');
  await expect(lineOf(page, branch.root)).toHaveAttribute('aria-expanded', 'false');
});

test('the arrows walk the tree, one stop of the Tab key; with Alt they put a service past its neighbour', async ({
  page,
  product,
  branch,
}) => {
  for (const name of ['A', 'B', 'C']) await branch.add(name);
  const [first, , third] = await Promise.all(['A', 'B', 'C'].map((name) => branch.find(name)));
  if (!first || !third) throw new Error('not created');
  await enterAsAdministrator(page, product, path);
  await lineOf(page, branch.root).focus();
  for (const [key, at] of [
    ['ArrowRight', branch.root],
    ['ArrowRight', first],
    ['ArrowLeft', branch.root],
  ] as const) {
    await page.keyboard.press(key);
    await expect(lineOf(page, at), key).toBeFocused();
  }
  await expect(page.locator('[role="treeitem"][tabindex="0"]')).toHaveCount(1);
  await lineOf(page, third).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByText('C : position 2 sur 3.')).toBeAttached();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByText('C : position 1 sur 3.')).toBeAttached();
  await expect(lineOf(page, third)).toBeFocused();
  const listed = await page.request.get(`${product.url}/api/services?parentId=${branch.root.id}`);
  expect(((await listed.json()) as { name: string }[]).map(({ name }) => name)).toEqual(['C', 'A', 'B']);
  await page.keyboard.press('Enter');
  await expect(editorOf(page, 'Modifier le service').getByLabel('Nom du service *')).toHaveValue('C');
});

test('on a phone a service is moved by its menu, among its siblings and to another parent with all below it', async ({
  page,
  product,
  branch,
}) => {
  await page.setViewportSize(phoneSize);
  const first = await branch.add('Un');
  const moved = await branch.add('Deux');
  await branch.add('Sous deux', { parentId: moved.id });
  await enterAsAdministrator(page, product, path);
  await expand(page, branch.root);
  await choose(page, moved, 'Monter');
  await expect.poll(() => branch.names()).toEqual(['Deux', 'Un']);
  await choose(page, moved, 'Déplacer');
  const dialog = page.getByRole('dialog', { name: 'Déplacer « Deux »' });
  const place = dialog.getByRole('status').first();
  await expect(place).toHaveText(`Position 1 sur 2, sous « ${branch.root.name} ».`);
  await dialog.getByRole('button', { name: 'Descendre' }).click();
  await expect(place).toContainText('Position 2 sur 2');
  expect(await branch.names()).toEqual(['Un', 'Deux']);
  await dialog.getByLabel('Service parent').selectOption(String(first.id));
  await dialog.getByRole('button', { name: 'Changer de parent' }).click();
  await expect(dialog).toBeHidden();
  await expect(lineOf(page, moved)).toHaveAttribute('aria-level', '3');
  await expect(lineOf(page, moved)).toBeFocused();
  expect((await branch.find('Sous deux'))?.level).toBe(4);
});

test('the confirmation of a deletion says what hangs on it, then Service supprimé', async ({
  page,
  product,
  branch,
}) => {
  const final = await branch.add('Commandé', { isFinalLevel: true, price: '500 FCFA' });
  await branch.add('Voisin', { isFinalLevel: true });
  const user = await callAs(product, { firstName: 'Salif', lastName: 'Barro', phone: '70413600' });
  for (const beneficiaryPhoneNumber of ['+22670414141', '+22670414142'])
    await user.send('POST', '/api/tickets', {
      userId: user.userId,
      serviceId: final.id,
      servicePath: [{ id: branch.root.id }, { id: final.id }],
      beneficiaryPhoneNumber,
      paymentTypeName: 'Wave',
      totalPrice: '500',
      status: 'pending',
    });
  await user.end();
  await enterAsAdministrator(page, product, path);
  await choose(page, branch.root, 'Supprimer');
  const refusal = page.getByRole('dialog', { name: `« ${branch.root.name} » ne peut pas être supprimé` });
  await expect(refusal).toContainText("Ce service contient 2 autres services. Supprimez-les d'abord");
  await refusal.getByRole('button', { name: 'Fermer' }).click();

  await expand(page, branch.root);
  await choose(page, final, 'Supprimer');
  const dialog = page.getByRole('dialog', { name: 'Supprimer « Commandé » ?' });
  await expect(dialog).toContainText("Ce service sera supprimé définitivement. C'est irréversible.");
  await expect(dialog).toContainText('2 tickets gardent leur historique et afficheront « Service inconnu »');
  expect(await branch.names()).toEqual(['Commandé', 'Voisin']);
  await dialog.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByText('Service supprimé')).toBeVisible();
  await expect(lineOf(page, final)).toHaveCount(0);
  expect(await branch.names()).toEqual(['Voisin']);
});

test('Nouveau Service asks for a name, creates, and says Service créé', async ({ page, product, branch, provoke }) => {
  provoke('400 /api/services');
  await branch.add('Déjà là', { sortOrder: 40 });
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  const form = editorOf(page, 'Nouveau service');
  const name = form.getByLabel('Nom du service *');
  await name.fill('   ');
  await save(form);
  await expect(name).toHaveAccessibleDescription('Le nom du service est requis.');
  await expect(name).toBeFocused();
  await name.fill('Envoi rapide');
  await form.getByLabel('Prix', { exact: true }).fill('À partir de 500 FCFA');
  await form.getByLabel('Service parent').selectOption(String(branch.root.id));
  await save(form);
  await expect(page.getByText('Service créé')).toBeVisible();
  const stored = await branch.find('Envoi rapide');
  expect(stored).toMatchObject({ level: 2, parentId: branch.root.id, isVisible: true, isFinalLevel: false });
  expect(await branch.names()).toEqual(['Déjà là', 'Envoi rapide']);
  await expect(lineOf(page, stored as AdminService)).toBeFocused();
});

test('a change says Service mis à jour, and sends only what was changed; what is unsaved is not dropped unasked', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Avant', { description: 'Reste', isFinalLevel: true, operatorNote: 'Reste aussi' });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await form.getByLabel('Nom du service *').fill('Après');
  const asking = page.getByRole('dialog', { name: 'Abandonner vos modifications ?' });
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Annuler' }).click();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await form.getByRole('button', { name: 'Annuler' }).click();
  await asking.getByRole('button', { name: 'Abandonner' }).click();
  await expect(form).toBeHidden();

  await edit(page, branch, service);
  await form.getByLabel('Nom du service *').fill('Après');
  await form.getByLabel('Visible').uncheck();
  await form.getByLabel('Prix personnalisé').check();
  // A reverted change is no change.
  await form.getByLabel('Description').fill('Autre');
  await form.getByLabel('Description').fill('Reste');
  const changes = { name: 'Après', isVisible: false, allowUserPriceInput: true };
  expect(await saveChange(page, form)).toEqual({ parts: ['data'], data: changes });
  expect(await branch.find('Après')).toEqual({ ...service, ...changes, updatedAt: expect.any(String) });
});

test("a failure is a toast Erreur with the server's message, else the screen's own, and the form stays", async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('502 /api/admin/services/', '400 /api/admin/services/');
  const service = await branch.add('Codé', { isFinalLevel: true, phoneNumber: '*144*XX#' });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const code = form.getByLabel('Code à composer');
  const alert = page.getByRole('alert').filter({ hasText: 'Erreur' });
  await code.fill('*144*XX*PIN#');
  const problem = "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même.";
  await expect(form.getByText(problem)).toBeVisible();
  await save(form);
  await expect(alert).toContainText(problem);
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await code.fill('*144*{montant}#');
  await page.route(`**/api/admin/services/${service.id}`, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await save(form);
  await expect(alert).toContainText("Le service n'a pas pu être mis à jour.");
  await expect(code).toHaveValue('*144*{montant}#');
});

test('the commission: for final services alone, fixed, percentage or ranges, and as it is typed in the example', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('400 /api/admin/services/');
  const service = await branch.add('Envoi', { price: '2 000 FCFA' });
  const commissionOn = async (amount: number) => {
    const answer = await page.request.get(`${product.url}/api/commission/${service.id}?userPrice=${amount}`);
    return ((await answer.json()) as { commission: number }).commission;
  };
  await enterAsAdministrator(page, product, path);
  let form = await edit(page, branch, service);
  const type = form.getByLabel('Type de commission');
  await expect(type).toHaveCount(0);
  await form.getByLabel('Service final').check();
  await expect(type.locator('option')).toHaveText(['Fixe (FCFA)', 'Pourcentage', 'Par tranches']);
  await expect(form.getByLabel('Valeur (FCFA)')).toBeVisible();
  await type.selectOption('percentage');
  await form.getByLabel('Valeur (%)').fill('101');
  await form.getByLabel('Code à composer').fill('*144*{service}*{beneficiaire}*XX#');
  await save(form);
  await expect(form.getByText('Un pourcentage ne dépasse pas 100.').first()).toBeVisible();
  await form.getByLabel('Valeur (%)').fill('2,5');
  const example = form.getByRole('status').filter({ hasText: 'Pour' });
  await expect(example).toContainText(/Pour 2.050\sFCFA, dont 50\sFCFA de commission/);
  await expect(example).toContainText(new RegExp(`\\*144\\*${service.id}\\*\\d{8}\\*2050#`));
  await saveChange(page, form);
  expect(await commissionOn(10_000)).toBe(250);

  form = await edit(page, branch, service);
  await type.selectOption('range');
  await expect(form.getByLabel(/^Valeur/)).toHaveCount(0);
  const add = form.getByRole('button', { name: 'Ajouter une tranche' });
  const cell = (row: number, name: string) => form.getByLabel(`Tranche ${row} : ${name}`);
  await add.click();
  await cell(1, 'maximum').fill('50 000');
  await cell(1, 'valeur').fill('300');
  await add.click();
  await expect(cell(2, 'minimum')).toHaveValue(/^50.001$/);
  await cell(2, 'minimum').fill('40 000');
  await cell(2, 'type').selectOption('percentage');
  await cell(2, 'valeur').fill('1,5');
  await save(form);
  await expect(form.getByRole('group').getByText('Deux tranches se chevauchent.')).toBeVisible();
  await cell(2, 'minimum').fill('60 000');
  await saveChange(page, form);
  expect(await Promise.all([50_000, 59_999, 60_000].map(commissionOn))).toEqual([300, 0, 900]);
});

test('image, size, colour and style: previewed, seen by the visitor, and another file or one above 5 MB refused', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Illustré', { description: 'Décrit' });
  await enterAsAdministrator(page, product, path);
  let form = await edit(page, branch, service);
  const input = form.getByLabel('Image', { exact: true }).last();
  const send = (mimeType: string, buffer: Buffer) => input.setInputFiles({ name: 'image', mimeType, buffer });
  await send('image/gif', Buffer.from('GIF89a'));
  await expect(page.getByText('Seuls les fichiers JPEG, PNG et WebP sont acceptés.')).toBeVisible();
  await send('image/png', Buffer.alloc(5 * 1024 * 1024 + 1));
  await expect(page.getByText('La taille maximale autorisée est de 5MB.')).toBeVisible();
  await expect(form.getByText('Aucune image')).toBeVisible();
  const green = { width: 64, height: 64, channels: 3, background: '#15803d' } as const;
  await send('image/png', await sharp({ create: green }).png().toBuffer());
  await expectDrawn(form.getByRole('img', { name: 'Aperçu' }));

  const expectLook = async (card: Locator) => {
    await expect(card).toHaveCSS('font-size', '16px');
    await expect(card).toHaveCSS('color', 'rgb(127, 29, 29)');
    await expect(card.getByText('Décrit', { exact: true })).toHaveCSS('font-weight', '700');
    await expect(card.getByText('Décrit', { exact: true })).toHaveCSS('font-style', 'italic');
  };
  await form.getByLabel('Taille du texte').selectOption('large');
  await form.getByLabel('Style du texte').selectOption('bold italic');
  await form.getByLabel('Couleur du texte').fill('#7f1d1d');
  await expectLook(form.locator('[inert] button'));
  await saveChange(page, form);
  const stored = await branch.find('Illustré');
  expect(stored).toMatchObject({ textSize: 'large', textColor: '#7F1D1D', textStyle: 'bold italic' });
  expect(stored?.pictureUrl).toMatch(/^\/uploads\/[a-f0-9]{32}\.webp$/);
  const visitor = await visit(page, product, branch.root);
  const card = visitor.getByRole('button', { name: /Illustré/ });
  await expectLook(card);
  await expectDrawn(card.locator(`img[src="${stored?.pictureUrl}"]`));
  await visitor.close();

  form = await edit(page, branch, service);
  await form.getByRole('button', { name: "Retirer l'image" }).click();
  expect(await saveChange(page, form)).toEqual({ parts: ['data'], data: { removeImage: true } });
  expect((await branch.find('Illustré'))?.pictureUrl).toBeNull();
});
