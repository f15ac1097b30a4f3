import type { Browser, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { desktopSize, phoneSize } from './browser.ts';
import { callAsAdministrator, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import type { Product } from './product.ts';
import { drillDown, enterAsAdministrator } from './steps.ts';

interface PaymentType {
  id: number;
  name: string;
  pictureUrl: string | null;
  icon: string | null;
  operator: string | null;
  countries: string[];
  isActive: boolean;
  updatedAt: string;
}

test.use({ viewport: desktopSize });
const bouquet = ['Factures et paiements', 'Télévision', 'Bouquet Access'];

const picture = async () => ({
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 60, height: 60, channels: 3, background: '#f60' } })
    .png()
    .toBuffer(),
});

/** The row of a payment type, or its card on a phone. */
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ has: page.getByRole('button', { name: `Modifier ${name}`, exact: true }) });
const creator = (page: Page) => page.getByRole('button', { name: 'Nouveau type de paiement' });
const creation = (page: Page) => page.getByRole('dialog', { name: 'Nouveau type de paiement' });
const fileInput = (dialog: Locator) => dialog.locator('input[type=file]');
const expectToast = async (page: Page, title: string, description: string) => {
  await expect(page.getByText(title, { exact: true })).toBeVisible();
  await expect(page.getByText(description, { exact: true })).toBeVisible();
};

/** Creates a payment type through the API; returns its id. */
async function create(product: Product, fields: Partial<PaymentType>): Promise<number> {
  const admin = await callAsAdministrator(product);
  return ((await admin.send('POST', '/api/admin/payment-types', fields)) as PaymentType).id;
}

async function find(product: Product, name: string): Promise<PaymentType | undefined> {
  const admin = await callAsAdministrator(product);
  return ((await admin.send('GET', '/api/payment-types')) as PaymentType[]).find((type) => type.name === name);
}

interface Summary {
  /** The payment types that the visitor can choose, refreshed at each call. */
  readOffers: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Opens an order's summary as a visitor. */
async function openSummary(browser: Browser, product: Product): Promise<Summary> {
  const visitor = await browser.newPage();
  await visitor.goto(product.url);
  await visitor.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await drillDown(visitor, bouquet);
  const readOffers = async () => {
    await visitor.reload();
    const choices = visitor.getByRole('group', { name: 'Type de paiement' }).locator('label');
    await expect(choices.filter({ hasText: 'Orange Money' })).toHaveCount(1);
    return choices.locator('[id$=-name]').allTextContents();
  };
  return { readOffers, close: () => visitor.close() };
}

test('created with a name, an icon, an operator and countries, once the name is not blank; visitors are offered it at once', async ({
  page,
  browser,
  product,
}) => {
  const name = uniqueName('Coris');
  const { readOffers, close } = await openSummary(browser, product);
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments');
  await creator(page).click();
  const dialog = creation(page);
  const save = dialog.getByRole('button', { name: 'Créer' });
  const field = dialog.getByLabel('Nom *');
  for (const blank of ['', '   ']) {
    await field.fill(blank);
    await expect(save).toBeDisabled();
  }
  await field.fill(` ${name} `);
  await dialog.getByLabel('Icône', { exact: true }).fill('🏦');
  await dialog.getByLabel('Opérateur (facultatif)').fill('Telecel');
  await expect(
    dialog.getByText('Les visiteurs liront : « Composez ce code depuis votre SIM Telecel pour payer. »'),
  ).toBeVisible();
  await dialog.getByLabel('Mali').check();
  await dialog.getByLabel('Togo').check();
  await save.click();
  await expectToast(page, 'Type de paiement créé', `« ${name} » est proposé dès maintenant.`);
  await expect(dialog).toBeHidden();
  const row = rowOf(page, name);
  for (const size of [phoneSize, desktopSize]) {
    await page.setViewportSize(size);
    await expect(row).toContainText('🏦');
    await expect(row).toContainText('Telecel');
    await expect(row).toContainText('Mali');
    await expect(row).toContainText('Togo');
    await expect(row).not.toContainText('Sénégal');
    await expect(row.getByText('Actif', { exact: true })).toBeVisible();
  }
  expect(await find(product, name)).toMatchObject({
    icon: '🏦',
    operator: 'Telecel',
    countries: ['+223', '+228'],
    isActive: true,
  });
  await expect.poll(readOffers).toContain(name);
  const toggle = row.getByRole('switch', { name: `Proposer ${name}` });
  await toggle.click();
  await expectToast(page, 'Type de paiement mis à jour', `« ${name} » est maintenant inactif.`);
  await expect.poll(readOffers).not.toContain(name);
  await toggle.click();
  await expectToast(page, 'Type de paiement mis à jour', `« ${name} » est maintenant actif.`);
  await expect(row.getByText('Actif', { exact: true })).toBeVisible();
  await expect.poll(readOffers).toContain(name);
  await close();
});

test('an image: seen before it is stored, and taken away again', async ({ page, product }) => {
  const name = uniqueName('Image');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments');
  await creator(page).click();
  const dialog = creation(page);
  await dialog.getByLabel('Nom *').fill(name);
  await dialog.getByLabel('Icône', { exact: true }).fill('💵');
  const preview = dialog.getByRole('img', { name: 'Aperçu' });
  await fileInput(dialog).setInputFiles(await picture());
  await expect(preview).toBeVisible();
  await dialog.getByRole('button', { name: "Retirer l'image" }).click();
  await expect(preview).toBeHidden();
  await expect(dialog.getByRole('button', { name: 'Choisir une image' })).toBeFocused();
  await fileInput(dialog).setInputFiles(await picture());
  await expect(preview).toHaveJSProperty('naturalWidth', 60);
  await dialog.getByRole('button', { name: 'Créer' }).click();
  await expectToast(page, 'Type de paiement créé', `« ${name} » est proposé dès maintenant.`);
  const image = rowOf(page, name).locator('img');
  await expect(image).toHaveAttribute('src', /^\/uploads\/[a-f0-9]+\.webp$/);
  await expect.poll(() => image.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  await expect(rowOf(page, name)).not.toContainText('💵');

  await page.setViewportSize(desktopSize);
  await expect(image).toBeVisible();
  await page.getByRole('button', { name: `Modifier ${name}` }).click();
  const edit = page.getByRole('dialog', { name: `Modifier « ${name} »` });
  await expect(edit.getByRole('img', { name: 'Aperçu' })).toBeVisible();
  await edit.getByRole('button', { name: "Retirer l'image" }).click();
  await edit.getByRole('button', { name: 'Enregistrer' }).click();
  await expectToast(page, 'Type de paiement mis à jour', `« ${name} » est enregistré.`);
  await expect(image).toBeHidden();
  await expect(rowOf(page, name)).toContainText('💵');
  expect((await find(product, name))?.pictureUrl).toBeNull();
});

test('deletion asks first, and says that tickets keep the name of what is gone', async ({ page, product }) => {
  const name = uniqueName('Éphémère');
  await create(product, { name });
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments');
  const dialog = page.getByRole('dialog', { name: `Supprimer « ${name} » ?` });
  await page.getByRole('button', { name: `Supprimer ${name}` }).click();
  await expect(dialog).toContainText("Les tickets qui l'ont choisi gardent son nom.");
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(dialog).toBeHidden();
  expect(await find(product, name)).toBeDefined();
  await page.setViewportSize(desktopSize);
  await page.getByRole('button', { name: `Supprimer ${name}` }).click();
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expectToast(page, 'Type de paiement supprimé', `« ${name} » n'est plus proposé.`);
  await expect(rowOf(page, name)).toBeHidden();
  expect(await find(product, name)).toBeUndefined();
});

test('edited: everything as it is, what changes is kept, and a name that another one has is refused', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/payment-types/');
  const name = uniqueName('Ancien');
  await create(product, { name, icon: '🏦', operator: 'Telecel', countries: ['+223', '+228'] });
  await enterAsAdministrator(page, product, '/admin/payments');
  await page.getByRole('button', { name: `Modifier ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Modifier « ${name} »` });
  const field = dialog.getByLabel('Nom *');
  const save = dialog.getByRole('button', { name: 'Enregistrer' });
  await expect(field).toHaveValue(name);
  await expect(dialog.getByLabel('Opérateur (facultatif)')).toHaveValue('Telecel');
  await expect(dialog.getByLabel('Icône', { exact: true })).toHaveValue('🏦');
  await expect(dialog.getByLabel('Mali')).toBeChecked();
  await expect(dialog.getByLabel('Togo')).toBeChecked();
  await expect(dialog.getByLabel('Niger')).not.toBeChecked();
  await field.fill('');
  await save.click();
  await expect(dialog.getByText('Le nom du type de paiement est requis.')).toBeVisible();
  await field.fill('wave');
  await save.click();
  await expect(dialog.getByRole('alert')).toContainText('ErreurCe type de paiement existe déjà.');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  const renamed = uniqueName('Nouveau');
  await field.fill(renamed);
  await dialog.getByLabel('Opérateur (facultatif)').fill('');
  await dialog.getByLabel('Icône', { exact: true }).fill('');
  await dialog.getByLabel('Mali').uncheck();
  await dialog.getByLabel('Togo').uncheck();
  await save.click();
  await expectToast(page, 'Type de paiement mis à jour', `« ${renamed} » est enregistré.`);
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, renamed).locator('[data-initials]')).toBeVisible();
  await expect(rowOf(page, renamed)).toContainText('Tous les pays');
  await expect(rowOf(page, name)).toBeHidden();
  expect(await find(product, renamed)).toMatchObject({ icon: null, operator: null, countries: [], isActive: true });
});

test('a switch and a list that fail say so, and leave all as it was', async ({ page, product, provoke }) => {
  provoke('500 /api/');
  const name = uniqueName('Reste');
  await create(product, { name });
  await page.route('**/api/payment-types', (route) => route.fulfill({ status: 500, body: '' }));
  await enterAsAdministrator(page, product, '/admin/payments');
  await expect(page.getByText('Impossible de charger les types de paiement.')).toBeVisible();
  await page.unroute('**/api/payment-types');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.route('**/api/admin/payment-types/*', (route) => route.fulfill({ status: 500, body: '' }));
  const toggle = page.getByRole('switch', { name: `Proposer ${name}` });
  await toggle.click();
  await expectToast(page, 'Erreur', 'Impossible de modifier le type de paiement.');
  await expect(toggle).toBeChecked();
});

test('a stale save keeps what was typed, and asks: Recharger, or Enregistrer quand même; of a type, a code and an account', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/payment');
  const admin = await callAsAdministrator(product);
  const [name, label] = [uniqueName('Ensemble'), uniqueName('Guichet')];
  const id = await create(product, { name, countries: ['+226'] });
  const codes = `/api/admin/payment-types/${id}/dial-templates`;
  const code = { template: '*144*{montant}#', merchant: '' };
  const template = (await admin.send('POST', codes, { ...code, country: '+226' })) as { id: number };
  const fields = { paymentTypeId: id, country: '+226', number: '51 00 00 01', label, allowedSenders: [] };
  const account = (await admin.send('POST', '/api/admin/payments/accounts', fields)) as { id: number };
  await enterAsAdministrator(page, product, '/admin/payments');
  const question = page.getByRole('dialog', { name: /^Modifié entre-temps/ });
  const answer = (words: string) => question.getByRole('button', { name: words, exact: true }).click();
  const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click();

  await page.getByRole('button', { name: `Modifier ${name}`, exact: true }).click();
  const type = page.getByRole('dialog', { name: `Modifier « ${name} »` });
  await type.getByLabel('Opérateur (facultatif)').fill('Moov');
  await admin.send('PUT', `/api/admin/payment-types/${id}`, { operator: 'Orange' });
  await save(type);
  await expect(question).toContainText("Rien n'a été enregistré");
  await expect(type.getByLabel('Opérateur (facultatif)')).toHaveValue('Moov');
  await answer('Recharger');
  await expect(type.getByLabel('Opérateur (facultatif)')).toHaveValue('Orange');
  await type.getByRole('button', { name: 'Annuler', exact: true }).click();

  await page.getByRole('button', { name: `Codes ${name}`, exact: true }).click();
  await page.getByRole('button', { name: `Modifier le code de ${name}, Burkina Faso`, exact: true }).click();
  const edited = page.getByRole('dialog', { name: `Code de ${name}, Burkina Faso` });
  await edited.getByLabel('Code', { exact: true }).fill('*145*{montant}#');
  await admin.send('PUT', `${codes}/${template.id}`, { ...code, state: 'verified', message: null });
  await save(edited);
  await answer('Enregistrer quand même');
  await expect(edited).toHaveCount(0);
  expect(await admin.send('GET', codes)).toMatchObject([{ template: '*145*{montant}#', state: 'unverified' }]);

  await page.goto(`${product.url}/admin/payments?section=comptes`);
  await page.getByRole('button', { name: `Modifier ${label}`, exact: true }).click();
  const till = page.getByRole('dialog', { name: `Modifier « ${label} »` });
  await till.getByLabel('Numéro ou code marchand').fill('51 00 00 02');
  await admin.send('PUT', `/api/admin/payments/accounts/${account.id}`, { isActive: false });
  await save(till);
  await answer('Enregistrer quand même');
  await expect(till).toHaveCount(0);
  const accounts = (await admin.send('GET', '/api/admin/payments/accounts')) as { id: number }[];
  expect(accounts.find((each) => each.id === account.id)).toMatchObject({ number: '51 00 00 02', isActive: true });
  await admin.end();
});
