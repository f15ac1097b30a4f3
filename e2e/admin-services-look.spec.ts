import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import type { Service } from '#contract/catalogue.ts';
import { edit, expect, lineOf, save, saveChange, test, visit } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { enterAsAdministrator } from './steps.ts';

const path = '/admin/services';

const picture = async (name: string, color: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 64, height: 64, channels: 3, background: color } })
    .png()
    .toBuffer(),
});

/** The image is drawn, not only present. */
const expectDrawn = (image: Locator) =>
  expect.poll(() => image.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);

test.use({ viewport: desktopSize });

test('an image: its preview, the visitor who sees it, another one in its place, its removal @slow', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Illustré');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, path);
  let form = await edit(page, branch, service);
  await expect(form.getByText('Aucune image')).toBeVisible();
  await form
    .getByLabel('Image', { exact: true })
    .last()
    .setInputFiles(await picture('vert.png', '#15803d'));
  const preview = form.getByRole('img', { name: 'Aperçu' });
  await expect(preview).toHaveAttribute('src', /^blob:/);
  await expectDrawn(preview);
  await saveChange(page, form);
  const stored = await branch.find('Illustré');
  const first = stored?.pictureUrl;
  expect(stored).toEqual({ ...service, pictureUrl: first, updatedAt: expect.any(String) });
  expect(first).toMatch(/^\/uploads\/[a-f0-9]{32}\.webp$/);
  await expect(lineOf(page, service).locator(`img[src="${first}"]`)).toBeAttached();
  const visitor = await visit(page, product, branch.root);
  await expectDrawn(visitor.getByRole('button', { name: /Illustré/ }).locator(`img[src="${first}"]`));
  await visitor.close();

  await page.setViewportSize(desktopSize);
  form = await edit(page, branch, service);
  await expect(preview).toHaveAttribute('src', first ?? '');
  await form
    .getByLabel('Image', { exact: true })
    .last()
    .setInputFiles(await picture('rouge.png', '#b91c1c'));
  await expect(preview).toHaveAttribute('src', /^blob:/);
  await saveChange(page, form);
  const second = (await branch.find('Illustré'))?.pictureUrl;
  expect(second).toMatch(/^\/uploads\//);
  expect(second).not.toBe(first);

  await page.setViewportSize(phoneSize);
  form = await edit(page, branch, service);
  await form.getByRole('button', { name: "Retirer l'image" }).click();
  await expect(form.getByText('Aucune image')).toBeVisible();
  expect(await saveChange(page, form)).toEqual({ parts: ['data'], data: { removeImage: true } });
  expect((await branch.find('Illustré'))?.pictureUrl).toBeNull();
  await expect(lineOf(page, service).locator('img')).toHaveCount(0);
});

test("the text's size, colour and style are previewed on the card, and the visitor sees them @slow", async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Voyant', { description: 'Décrit' });
  await page.setViewportSize(phoneSize);
  // The style is the description's too; a name is bold in any style.
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const expectLook = async (card: Locator, size: string, color: string, weight: string, style: string) => {
    await expect(card).toHaveCSS('font-size', size);
    await expect(card).toHaveCSS('color', color);
    await expect(card.getByText('Décrit', { exact: true })).toHaveCSS('font-weight', weight);
    await expect(card.getByText('Décrit', { exact: true })).toHaveCSS('font-style', style);
  };
  const card = form.locator('[inert] button');
  await expectLook(card, '14px', 'rgb(30, 41, 59)', '400', 'normal');
  await expect(form.getByLabel('Taille du texte').locator('option')).toHaveText([
    'Petit (12 px)',
    'Moyen (14 px)',
    'Grand (16 px)',
  ]);
  await form.getByLabel('Taille du texte').selectOption('small');
  await expect(card).toHaveCSS('font-size', '12px');
  await form.getByLabel('Taille du texte').selectOption('large');
  await form.getByLabel('Style du texte').selectOption('italic');
  await expectLook(card, '16px', 'rgb(30, 41, 59)', '400', 'italic');
  await form.getByLabel('Style du texte').selectOption('bold italic');
  await form.getByLabel('Couleur du texte', { exact: true }).fill('#7F1D1D');
  await expectLook(card, '16px', 'rgb(127, 29, 29)', '700', 'italic');
  expect((await saveChange(page, form)).data).toEqual({
    textSize: 'large',
    textColor: '#7F1D1D',
    textStyle: 'bold italic',
  });
  const visitor = await visit(page, product, branch.root);
  await expectLook(visitor.getByRole('button', { name: /Voyant/ }), '16px', 'rgb(127, 29, 29)', '700', 'italic');
  await visitor.close();
});

test('the code to dial is previewed with a sample amount, its commission and a sample beneficiary @slow', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Codé', {
    isFinalLevel: true,
    price: '2 000 FCFA',
    commissionType: 'percentage',
    commissionValue: 10,
  });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await expect(form.getByLabel("Montant d'essai")).toHaveCount(0);
  await form.getByLabel('Code à composer').fill('*144*{service}*{beneficiaire}*XX#');
  await expect(form.getByLabel("Montant d'essai")).toHaveValue(/^2.000$/);
  await form.getByLabel("Bénéficiaire d'essai").fill('+225 07 01 23 45 67');
  const sample = form.getByRole('status').filter({ hasText: 'Pour' });
  await expect(sample).toContainText(`Pour 2 200 FCFA : *144*${service.id}*0701234567*2200#`);
  await expect(sample).toContainText('dont 200 FCFA de commission');
  await form.getByLabel("Montant d'essai").fill('5000');
  await expect(sample).toContainText(`Pour 5 500 FCFA : *144*${service.id}*0701234567*5500#`);
  // The typed commission, not the stored one.
  await form.getByLabel('Valeur (%)').fill('20');
  await expect(sample).toContainText(`*144*${service.id}*0701234567*6000#`);
  expect((await saveChange(page, form)).data).toEqual({
    phoneNumber: '*144*{service}*{beneficiaire}*XX#',
    commissionValue: 20,
  });
  await expect(lineOf(page, service)).toContainText('*144*{service}*{beneficiaire}*XX#');
});

test('another type of file, and one above 5 MB, are refused by a toast and change nothing @slow', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('400 /api/admin/services/');
  const service = await branch.add('Sans image');
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const input = form.getByLabel('Image', { exact: true }).last();
  const refusals = [
    {
      file: { name: 'dessin.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') },
      title: 'Type de fichier invalide',
      text: 'Seuls les fichiers JPEG, PNG et WebP sont acceptés.',
    },
    {
      file: { name: 'grand.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) },
      title: 'Fichier trop volumineux',
      text: 'La taille maximale autorisée est de 5MB.',
    },
  ];
  for (const { file, title, text } of refusals) {
    await input.setInputFiles(file);
    const toast = page.getByRole('alert').filter({ hasText: title });
    await expect(toast).toContainText(text);
    await expect(form.getByText('Aucune image')).toBeVisible();
  }
  // Only the server detects that this is no image.
  await input.setInputFiles({ name: 'faux.png', mimeType: 'image/png', buffer: Buffer.from('Bonjour') });
  await expect(form.getByRole('img', { name: 'Aperçu' })).toBeAttached();
  await save(form);
  await expect(page.getByRole('alert').filter({ hasText: 'Erreur' })).toContainText(
    'Seuls les fichiers JPEG, PNG et WebP sont acceptés.',
  );
  expect((await branch.find('Sans image'))?.pictureUrl).toBeNull();
});

test('a code that asks for a PIN, keeps a placeholder or is of the network, is refused as it is typed and when it is saved @slow', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('400 /api/admin/services/');
  const service = await branch.add('Codé', { isFinalLevel: true, phoneNumber: '*144*XX#' });
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  const code = form.getByLabel('Code à composer');
  await expect(form.getByLabel("Montant d'essai")).toBeVisible();
  for (const [template, problem] of [
    ['*144*XX*PIN#', "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même."],
    ['*144*{code_secret}#', "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même."],
    ['*144*{numero}*XX#', 'Repères acceptés : XX, {montant}, {beneficiaire} et {service}.'],
    ['*144*XX', 'Écrivez un numéro de téléphone, ou un code qui commence par * ou # et finit par #.'],
    ['**21*0022670112233#', 'Un code à payer commence par les trois chiffres de son portefeuille'],
    ['*2767*3855#', 'Un code à payer commence par les trois chiffres de son portefeuille'],
  ] as const) {
    await code.fill(template);
    await expect(form.getByText(problem)).toBeVisible();
    await expect(form.getByLabel("Montant d'essai")).toHaveCount(0);
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    await save(form);
    expect((await answered).status()).toBe(400);
    await expect(code).toHaveAttribute('aria-invalid', 'true');
  }
  expect((await branch.find('Codé'))?.phoneNumber).toBe('*144*XX#');
  await code.fill('*144*{montant}#');
  const price = form.getByLabel('Prix', { exact: true });
  await price.fill('15 000 000 FCFA');
  await save(form);
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByText('Écrivez un prix entier de 0 à 10 000 000 FCFA')).toBeVisible();
  await price.fill('15 000 FCFA');
  await saveChange(page, form);
  expect((await branch.find('Codé'))?.phoneNumber).toBe('*144*{montant}#');
});

test('the internal note is seen here, and never by a visitor nor in /api/services @slow', async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Annoté', { isFinalLevel: true, price: '500 FCFA' });
  const note = 'Appeler Moussa avant midi';
  await enterAsAdministrator(page, product, path);
  const form = await edit(page, branch, service);
  await form.getByLabel('Note interne').fill(note);
  expect((await saveChange(page, form)).data).toEqual({ operatorNote: note });
  await expect(lineOf(page, service)).toHaveAttribute('aria-description', `Note interne : ${note}`);
  await expect(lineOf(page, service).getByTitle(`Note interne : ${note}`)).toBeVisible();
  const answer = await page.request.get(`${product.url}/api/services?parentId=${branch.root.id}`);
  const seen = (await answer.json()) as Service[];
  expect(seen.map(({ name }) => name)).toEqual(['Annoté']);
  expect(JSON.stringify(seen)).not.toContain('Moussa');
  expect(seen[0]).not.toHaveProperty('operatorNote');
  const visitor = await visit(page, product, branch.root);
  await expect(visitor.getByRole('button', { name: /Annoté/ })).toBeVisible();
  expect(await visitor.content()).not.toContain('Moussa');
  await visitor.close();
});
