import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { desktopSize, phoneSize } from './browser.ts';
import { callAsAdministrator, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectFocusKept } from './incoming.ts';
import { expectFailure, expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator } from './steps.ts';

interface PaymentType {
  id: number;
  name: string;
  pictureUrl: string | null;
  icon: string | null;
  operator: string | null;
  countries: string[];
  isActive: boolean;
}

test.use({ viewport: desktopSize });

const picture = async () => ({
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 60, height: 60, channels: 3, background: '#f60' } })
    .png()
    .toBuffer(),
});

/** The row of a payment type, or its card on a phone. */
const rowOf = (page: Page, name: string) =>
  page.locator('[data-row]').filter({ has: page.getByRole('button', { name: `Modifier ${name}`, exact: true }) });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Modifier « ${name} »` });
const preview = (dialog: Locator) => dialog.getByRole('img', { name: 'Aperçu' });
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
const choosePicture = async (dialog: Locator) => dialog.locator('input[type=file]').setInputFiles(await picture());

/** Creates a payment type through the API; returns its id. */
async function create(product: Product, fields: Partial<PaymentType>): Promise<number> {
  const admin = await callAsAdministrator(product);
  return ((await admin.send('POST', '/api/admin/payment-types', fields)) as PaymentType).id;
}

async function find(product: Product, name: string): Promise<PaymentType | undefined> {
  const admin = await callAsAdministrator(product);
  return ((await admin.send('GET', '/api/payment-types')) as PaymentType[]).find((type) => type.name === name);
}

test('a payment type is created with an image, an icon, an operator and countries, switched, edited and deleted; what is refused changes nothing', async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/admin/payment-types/', '409 /api/admin/payment-types/');
  const [name, renamed] = [uniqueName('Coris'), uniqueName('Vista')];
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments');
  await press(page, 'Nouveau type de paiement');
  const dialog = page.getByRole('dialog', { name: 'Nouveau type de paiement' });
  await dialog.getByLabel('Nom *').fill('   ');
  await expect(dialog.getByRole('button', { name: 'Créer' })).toBeDisabled();
  await dialog.getByLabel('Nom *').fill(` ${name} `);
  await dialog.getByLabel('Icône', { exact: true }).fill('🏦');
  await dialog.getByLabel('Opérateur (facultatif)').fill('Telecel');
  await expect(dialog.getByText('« Depuis votre ligne Telecel »')).toBeVisible();
  await dialog.getByLabel('Mali').check();
  await dialog.getByLabel('Togo').check();
  await choosePicture(dialog);
  await expect(preview(dialog)).toHaveJSProperty('naturalWidth', 60);
  await press(dialog, 'Créer');
  await expectToast(page, 'Type de paiement créé', `« ${name} » est proposé dès maintenant.`);
  await expect(dialog).toBeHidden();
  const row = rowOf(page, name);
  for (const size of [phoneSize, desktopSize]) {
    await page.setViewportSize(size);
    for (const words of ['Telecel', 'Mali', 'Togo', 'Actif']) await expect(row).toContainText(words);
    await expect(row).not.toContainText('Sénégal');
    await expect(row.locator('img')).toHaveAttribute('src', /^\/uploads\/[a-f0-9]+\.webp$/);
    await expect(row).not.toContainText('🏦');
  }
  expect(await find(product, name)).toMatchObject({ icon: '🏦', operator: 'Telecel', countries: ['+223', '+228'] });

  const toggle = row.getByRole('switch', { name: `Proposer ${name}` });
  await toggle.click();
  await expectToast(page, 'Type de paiement mis à jour', `« ${name} » est maintenant inactif.`);
  expect(await find(product, name)).toMatchObject({ isActive: false });
  await page.route('**/api/admin/payment-types/*', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
  await toggle.click();
  await expectFailure(page, 'Erreur', 'Impossible de modifier le type de paiement.');
  await expect(toggle).not.toBeChecked();

  await press(page, `Modifier ${name}`);
  const edited = dialogOf(page, name);
  const field = edited.getByLabel('Nom *');
  await expect(preview(edited)).toBeVisible();
  await expect(edited.getByLabel('Niger')).not.toBeChecked();
  await field.fill('');
  await press(edited, 'Enregistrer');
  await expect(edited.getByText('Le nom du type de paiement est requis.')).toBeVisible();
  await field.fill('wave');
  await press(edited, 'Enregistrer');
  await expect(edited.getByRole('alert')).toContainText('ErreurCe type de paiement existe déjà.');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(renamed);
  await edited.getByLabel('Opérateur (facultatif)').fill('');
  await edited.getByLabel('Mali').uncheck();
  await edited.getByLabel('Togo').uncheck();
  await press(edited, "Retirer l'image");
  await press(edited, 'Enregistrer');
  await expectToast(page, 'Type de paiement mis à jour', `« ${renamed} » est enregistré.`);
  await expect(rowOf(page, renamed)).toContainText('Tous les pays');
  await expect(rowOf(page, renamed)).toContainText('🏦');
  const kept = { icon: '🏦', operator: null, countries: [], pictureUrl: null, isActive: false };
  expect(await find(product, renamed)).toMatchObject(kept);

  const question = page.getByRole('dialog', { name: `Supprimer « ${renamed} » ?` });
  await press(page, `Supprimer ${renamed}`);
  await expect(question).toContainText("Les tickets qui l'ont choisi gardent son nom.");
  await press(question, 'Annuler');
  expect(await find(product, renamed)).toBeDefined();
  await press(page, `Supprimer ${renamed}`);
  await press(question, 'Supprimer');
  await expectToast(page, 'Type de paiement supprimé', `« ${renamed} » n'est plus proposé.`);
  await expect(rowOf(page, renamed)).toBeHidden();
  await expectFocusKept(page);
  expect(await find(product, renamed)).toBeUndefined();
});

test('a stale save keeps what was typed, and asks: Recharger, or Enregistrer quand même, which stores an image once; of a type, a code and an account', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/payment');
  const admin = await callAsAdministrator(product);
  const [name, label] = [uniqueName('Ensemble'), uniqueName('Guichet')];
  const id = await create(product, { name, countries: ['+226'] });
  const codes = `/api/admin/payment-types/${id}/dial-templates`;
  const code = { template: '*144*{montant}#' };
  const template = (await admin.send('POST', codes, { ...code, country: '+226' })) as { id: number };
  const fields = { paymentTypeId: id, country: '+226', number: '51 00 00 01', label, allowedSenders: [] };
  const account = (await admin.send('POST', '/api/admin/payments/accounts', fields)) as { id: number };
  let uploads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/admin/upload-payment-picture')) uploads += 1;
  });
  await enterAsAdministrator(page, product, '/admin/payments');
  const question = page.getByRole('dialog', { name: /^Modifié entre-temps/ });

  await press(page, `Modifier ${name}`);
  const type = dialogOf(page, name);
  await type.getByLabel('Opérateur (facultatif)').fill('Moov');
  await admin.send('PUT', `/api/admin/payment-types/${id}`, { operator: 'Orange' });
  await press(type, 'Enregistrer');
  await expect(question).toContainText("Rien n'a été enregistré");
  await expect(type.getByLabel('Opérateur (facultatif)')).toHaveValue('Moov');
  await press(question, 'Recharger');
  await expect(type.getByLabel('Opérateur (facultatif)')).toHaveValue('Orange');
  await choosePicture(type);
  await admin.send('PUT', `/api/admin/payment-types/${id}`, { operator: 'Moov' });
  await press(type, 'Enregistrer');
  await press(question, 'Enregistrer quand même');
  await expect(type).toHaveCount(0);
  expect(await find(product, name)).toMatchObject({
    operator: 'Orange',
    pictureUrl: expect.stringMatching(/^\/uploads/),
  });
  expect(uploads).toBe(1);

  await press(page, `Codes ${name}`);
  await press(page, `Modifier le code d'${name}, Burkina Faso`);
  const edited = page.getByRole('dialog', { name: `Code d'${name}, Burkina Faso` });
  await edited.getByLabel('Code', { exact: true }).fill('*145*{montant}#');
  await admin.send('PUT', `${codes}/${template.id}`, { ...code, state: 'verified', message: null });
  await press(edited, 'Enregistrer');
  await press(question, 'Enregistrer quand même');
  await expect(edited).toHaveCount(0);
  expect(await admin.send('GET', codes)).toMatchObject([{ template: '*145*{montant}#', state: 'unverified' }]);

  // The step back of the dialog that closed may be under way, which ends a navigation.
  await expect(() => page.goto(`${product.url}/admin/payments?section=comptes`)).toPass();
  await press(page, `Actions sur le compte ${label}`);
  await page.getByRole('menuitem', { name: 'Modifier' }).click();
  const till = dialogOf(page, label);
  await till.getByLabel('Numéro ou code marchand').fill('51 00 00 02');
  await admin.send('PUT', `/api/admin/payments/accounts/${account.id}`, { isActive: false });
  await press(till, 'Enregistrer');
  await press(question, 'Enregistrer quand même');
  await expect(till).toHaveCount(0);
  const accounts = (await admin.send('GET', '/api/admin/payments/accounts')) as { id: number }[];
  expect(accounts.find((each) => each.id === account.id)).toMatchObject({ number: '51 00 00 02', isActive: true });
});
