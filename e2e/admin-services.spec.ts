import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import type { AdminService } from '#contract/catalogue.ts';
import { countRequests } from './answers.ts';
import { choose, edit, editorOf, expand, expect, lineOf, openerOf, save, saveChange, test, visit } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { boxOf } from './layout.ts';
import { enterAsAdministrator, openTab } from './steps.ts';

const path = '/admin/services';

/** The image is drawn, not only present. */
const expectDrawn = (image: Locator) =>
  expect.poll(() => image.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);

test.use({ viewport: desktopSize });

test('the tree from level 1 to 5, with its badges; a search opens the way to what it finds', async ({
  page,
  product,
  branch,
}) => {
  const { root } = branch;
  const word = root.name.slice(-8);
  const second = await branch.add('Deuxième', { description: 'Ce que dit la carte' });
  const third = await branch.add('Troisième', { parentId: second.id, isVisible: false });
  const fourth = await branch.add('Quatrième', { parentId: third.id, phoneNumber: '+226 25 30 00 00' });
  const final = { isFinalLevel: true, phoneNumber: '*777*31*XX#' };
  const fifth = await branch.add(`Électricité ${word}`, { parentId: fourth.id, ...final });
  await enterAsAdministrator(page, product, path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestion Hiérarchique des Services');
  await expand(page, root, second, third, fourth);
  for (const [index, service] of [root, second, third, fourth, fifth].entries()) {
    const line = lineOf(page, service);
    await expect(line.getByText(`Niveau ${index + 1}`, { exact: true })).toBeVisible();
    await expect(line.getByText('Service final', { exact: true })).toHaveCount(service === fifth ? 1 : 0);
    await expect(line.getByText('Masqué', { exact: true })).toHaveCount(service === third ? 1 : 0);
  }
  for (const text of ['Ce que dit la carte', '+226 25 30 00 00', '*777*31*XX#'])
    await expect(page.getByRole('list', { name: 'Services' }).getByText(text)).toBeVisible();
  // What is open stays open across a poll, and across another tab.
  const late = await branch.add('Venu après');
  await expect(lineOf(page, late)).toBeVisible();
  await openTab(page, 'Paiements');
  await expect(lineOf(page, fifth)).toBeHidden();
  await openTab(page, 'Services');
  await expect(lineOf(page, fifth)).toBeVisible();

  await openerOf(page, fifth).press('Enter');
  await expect(editorOf(page, 'Modifier le service').getByLabel('Nom du service *')).toHaveValue(fifth.name);
  await page.keyboard.press('Escape');
  await openerOf(page, root).click();

  const search = page.getByLabel('Rechercher dans le catalogue');
  for (const words of [`ELECTRICITE ${word}`, '*777*31']) {
    await search.fill(words);
    await expect(page.getByText('1 service trouvé', { exact: true })).toBeVisible();
    await expect(page.locator('[data-service]')).toHaveCount(5);
    await expect(lineOf(page, fifth)).toBeVisible();
  }
  await search.fill(`${word} nulle part`);
  await expect(page.getByText('Aucun service trouvé')).toBeVisible();
  await search.fill('');
  await expect(openerOf(page, root)).toHaveAttribute('aria-expanded', 'false');
});

test('on a phone a service is created, moved by its menu, and deleted; one that contains others is not', async ({
  page,
  product,
  branch,
}) => {
  const first = await branch.add('Un', { sortOrder: 40 });
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  const form = editorOf(page, 'Nouveau service');
  const name = form.getByLabel('Nom du service *');
  const created = countRequests(page, 'POST', /^\/api\/services$/);
  await name.fill('   ');
  await save(form);
  await expect(name).toHaveAccessibleDescription('Le nom du service est requis.');
  await expect(name).toBeFocused();
  expect(created.count()).toBe(0);
  await name.fill('Deux');
  await form.getByLabel('Prix', { exact: true }).fill('À partir de 500 FCFA');
  await form.getByLabel('Service parent').selectOption(String(branch.root.id));
  await save(form);
  await expect(page.getByText('Service créé')).toBeVisible();
  const moved = (await branch.find('Deux')) as AdminService;
  expect(moved).toMatchObject({ level: 2, parentId: branch.root.id, isVisible: true, isFinalLevel: false });
  await expect(lineOf(page, moved)).toBeVisible();
  expect(await branch.names()).toEqual(['Un', 'Deux']);
  await branch.add('Sous deux', { parentId: moved.id });

  await choose(page, moved, 'Déplacer');
  const dialog = page.getByRole('dialog', { name: 'Déplacer « Deux »' });
  const place = dialog.getByRole('status').first();
  await expect(place).toHaveText(`Position 2 sur 2, sous « ${branch.root.name} ».`);
  await dialog.getByRole('button', { name: 'Monter' }).click();
  await expect(place).toContainText('Position 1 sur 2');
  await expect.poll(() => branch.names()).toEqual(['Deux', 'Un']);
  await dialog.getByLabel('Service parent').selectOption(String(first.id));
  await dialog.getByRole('button', { name: 'Changer de parent' }).click();
  await expect(dialog).toBeHidden();
  await expect(lineOf(page, moved).getByText('Niveau 3')).toBeVisible();
  const below = await branch.find('Sous deux');
  expect(below?.level).toBe(4);

  const question = (service: { name: string }) => page.getByRole('dialog', { name: `Supprimer « ${service.name} » ?` });
  await choose(page, moved, 'Supprimer');
  const refusal = page.getByRole('dialog', { name: '« Deux » ne peut pas être supprimé' });
  await expect(refusal).toContainText("Ce service contient 1 service. Supprimez-le ou déplacez-le d'abord.");
  await refusal.getByRole('button', { name: 'Fermer' }).click();
  await expand(page, moved);
  await choose(page, below as AdminService, 'Supprimer');
  await expect(question({ name: 'Sous deux' })).toContainText(
    "Ce service sera supprimé définitivement. C'est irréversible.",
  );
  await question({ name: 'Sous deux' }).getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByText('Service supprimé')).toBeVisible();
  await expect(lineOf(page, below as AdminService)).toHaveCount(0);
  expect(await branch.find('Sous deux')).toBeUndefined();
});

test('a change sends only what was changed; what is unsaved is not dropped unasked, by a failure neither; a stale save asks whose stays', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('502 /api/admin/services/', '400 /api/admin/services/', '409 /api/admin/services/');
  const service = await branch.add('Avant', { description: 'Reste', isFinalLevel: true, phoneNumber: '*144*XX#' });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  for (const size of [{ width: 1024, height: 768 }, desktopSize]) {
    await page.setViewportSize(size);
    const tree = await boxOf(page.getByRole('list', { name: 'Services' }));
    expect((await boxOf(form)).x).toBeGreaterThanOrEqual(tree.right);
    await expect(form.getByRole('button', { name: 'Enregistrer', exact: true })).toBeInViewport({ ratio: 1 });
  }
  const name = form.getByLabel('Nom du service *');
  await name.fill('Après');
  const asking = page.getByRole('dialog', { name: 'Abandonner vos modifications ?' });
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Annuler' }).click();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  // The tree beside it stays in use: another service takes its place, once that is asked.
  await choose(page, branch.root, 'Modifier');
  await asking.getByRole('button', { name: 'Abandonner' }).click();
  await expect(name).toHaveValue(branch.root.name);
  await form.getByRole('button', { name: 'Annuler' }).click();
  await expect(form).toBeHidden();

  await edit(page, branch, service);
  const code = form.getByLabel('Code à composer');
  const alert = page.getByRole('alert').filter({ hasText: 'Erreur' });
  await code.fill('*144*XX*PIN#');
  const problem = "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même.";
  await expect(form.getByText(problem)).toBeVisible();
  await save(form);
  await expect(form.getByText('Un champ est à corriger.')).toBeVisible();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(code).toBeFocused();
  await code.fill('*144*{montant}#');
  await page.route(`**/api/admin/services/${service.id}`, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await save(form);
  await expect(alert).toContainText("Le service n'a pas pu être mis à jour.");
  await page.unroute(`**/api/admin/services/${service.id}`);
  await name.fill('Après');
  await form.getByLabel('Visible').uncheck();
  await form.getByLabel('Prix personnalisé').check();
  // A reverted change is no change.
  await form.getByLabel('Description').fill('Autre');
  await form.getByLabel('Description').fill('Reste');
  const changes = { name: 'Après', isVisible: false, allowUserPriceInput: true, phoneNumber: '*144*{montant}#' };
  expect(await saveChange(page, form)).toEqual({ parts: ['data'], data: changes });
  const saved = await branch.find('Après');
  expect(saved).toEqual({ ...service, ...changes, updatedAt: expect.any(String) });

  await edit(page, branch, { ...service, name: 'Après' });
  await name.fill('Les miens');
  await branch.change(service, { description: 'Les leurs' });
  await save(form);
  const stale = page.getByRole('dialog', { name: /^Modifié entre-temps par / });
  await stale.getByRole('button', { name: 'Enregistrer quand même' }).click();
  await expect(form).toBeHidden();
  expect(await branch.find('Les miens')).toMatchObject({ description: 'Les leurs' });
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
  await expect(cell(2, 'minimum')).toHaveAccessibleDescription(/^Chevauche la tranche 1, de 1 à 50.000\.$/);
  await expect(cell(2, 'minimum')).toBeFocused();
  await cell(2, 'minimum').fill('60000');
  await cell(2, 'valeur').focus();
  await expect(cell(2, 'minimum')).toHaveValue(/^60.000$/);
  await expect(form.getByText(/^De 50.001 à 59.999 FCFA\s: aucune commission\.$/)).toBeVisible();
  await expect(form.getByText(/^pour 100.000\sF\s: 1.500\sF$/)).toBeVisible();
  await saveChange(page, form);
  expect(await Promise.all([50_000, 59_999, 60_000].map(commissionOn))).toEqual([300, 0, 900]);
  await expect(lineOf(page, service)).toContainText(/2 000 FCFA.*par tranches/s);
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

test('the catalogue as a file: imported again it changes nothing; with errors, each at its line, nothing; corrected, it creates and updates', async ({
  page,
  product,
  branch,
}) => {
  const known = await branch.add('=Connu; et « guillemets »', {
    isFinalLevel: true,
    price: '100 FCFA',
    operatorNote: 'Première ligne\nSeconde "ligne"',
  });
  await enterAsAdministrator(page, product, path);
  await page.getByRole('button', { name: 'Importer, exporter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importer, exporter' });
  const input = dialog.getByLabel('Fichier CSV');
  const importer = dialog.getByRole('button', { name: 'Importer', exact: true });
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Télécharger le CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^catalogue_\d{4}-\d{2}-\d{2}\.csv$/);
  await expect(page.getByText('Export réussi')).toBeVisible();
  const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer });
  await input.setInputFiles(fileOf('le-meme.csv', await readFile(await saved.path())));
  await expect(dialog.getByText('À créer : 0. À mettre à jour : 0.')).toBeVisible();
  await expect(importer).toHaveCount(0);

  const { id } = branch.root;
  const head = 'id;parent;name;price;isFinalLevel';
  const update = `${known.id};${id};Connu;250 FCFA;oui`;
  const lines = (...each: string[]) => Buffer.from([head, update, ...each].join('\r\n'));
  const wrong = lines(`;${id};;300 FCFA;oui`, `;${id};Nouveau;300 FCFA;parfois`);
  await input.setInputFiles(fileOf('faux.csv', wrong));
  await expect(dialog.getByText("faux.csv : 2 erreurs. Rien n'a été importé.")).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Erreurs du fichier' }).getByRole('listitem')).toHaveText([
    'Ligne 3, Nom : Le nom du service est requis.',
    'Ligne 4, Service final : Écrivez oui ou non.',
  ]);
  await expect(importer).toHaveCount(0);
  // Excel's French CSV, in Windows-1252.
  await input.setInputFiles(fileOf('ancien.csv', Buffer.from(`${head}\r\n;${id};Électricité;5 FCFA;oui`, 'latin1')));
  await expect(dialog.getByText('À créer : 1. À mettre à jour : 0.')).toBeVisible();

  await input.setInputFiles(fileOf('juste.csv', lines(`;${id};Nouveau;300 FCFA;oui`)));
  await expect(dialog.getByText('À créer : 1. À mettre à jour : 1.')).toBeVisible();
  // A check writes nothing.
  expect(await branch.names()).toEqual([known.name]);
  await importer.click();
  await expect(page.getByText('Services créés : 1. Mis à jour : 1.')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect((await branch.find('Connu'))?.price).toBe('250 FCFA');
  expect(await branch.find('Nouveau')).toMatchObject({ price: '300 FCFA', isFinalLevel: true, parentId: id });
});
