import { findViolations } from './accessibility.ts';
import { phoneSize } from './browser.ts';
import { callAsAdministrator, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import { choosePayment, drillDown, enterAs, enterAsAdministrator, toBundle } from './steps.ts';

test("an administrator adds, verifies and breaks a payment type's code by keyboard", async ({
  page,
  browser,
  product,
}) => {
  const name = uniqueName('Coris');
  const admin = await callAsAdministrator(product);
  const type = { name, operator: 'Coris', countries: ['+226', '+223'] };
  const { id } = (await admin.send('POST', '/api/admin/payment-types', type)) as { id: number };
  await enterAsAdministrator(page, product, '/admin/payments');
  const row = page.locator('[data-row]').filter({ hasText: name });
  await expect(row).toContainText('Sans code');
  await page.getByRole('button', { name: `Codes ${name}` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: new RegExp(`^Codes de .*${name}`) });
  await expect(dialog).toContainText('Sans code');
  await dialog.getByRole('button', { name: /^Ajouter un code.*Burkina/ }).press('Enter');
  await dialog.getByLabel('Code', { exact: true }).fill('*777*{marchand}*{montant}#**21*{beneficiaire}#');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Un seul code');
  await dialog.getByLabel('Code', { exact: true }).fill('*777*{marchand}*{montant}#');
  await expect(dialog).toContainText('*777*{marchand}*1500#');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Code enregistré', /marquez-le vérifié/);
  await expect(dialog).toContainText('À vérifier');
  await expect(dialog).toContainText('Sans numéro marchand, ce code ne paie personne.');
  await expect(dialog.getByRole('link', { name: 'Le donner dans Comptes' })).toHaveAttribute('href', /section=comptes/);
  await page.keyboard.press('Escape');
  await expect(row).toContainText('1 à vérifier, 1 manque');
  const numbers = [{ country: '+226', number: '144500' }];
  await admin.send('PUT', `/api/admin/payment-types/${id}/merchant-numbers`, { numbers, expectedUpdatedAt: null });
  await page.reload();
  await page.getByRole('button', { name: `Codes ${name}` }).press('Enter');
  await expect(dialog).toContainText(/À essayer, pour 1.000\sFCFA\s:\*777\*144500\*1000#/);
  await expect(dialog.getByRole('button', { name: "Copier le code d'essai" })).toBeVisible();
  const save = async (state: string, message?: string) => {
    await dialog.getByRole('button', { name: /^Modifier/ }).press('Enter');
    await dialog.getByRole('combobox', { name: 'État' }).selectOption(state);
    if (message) await dialog.getByLabel(/^Message aux payeurs/).fill(message);
    await dialog.getByLabel('Code', { exact: true }).press('Enter');
  };
  await save('verified');
  await expect(dialog).toContainText(/Vérifié le/);
  await save('broken', 'Coris est en panne.');
  await expect(dialog).toContainText('Coris est en panne.');
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');

  // Who orders reads the message before the order is sent.
  const own = await browser.newPage({ viewport: phoneSize });
  await enterAs(own, product, { firstName: 'Payeur', lastName: 'Coris', phone: '51110302' });
  await drillDown(own, toBundle);
  await choosePayment(own, name);
  await expect(own.getByText('Coris est en panne.')).toBeVisible();
  await own.close();
});
