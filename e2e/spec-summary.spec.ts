import { countRequests } from './answers.ts';
import { expect, test } from './branch.ts';
import { closeMessage, expectFailure, expectRefusalShown, expectToast, refuse } from './messages.ts';
import {
  choosePayment,
  confirmOrder,
  drillDown,
  enterAs,
  enterAsGuest,
  fillOrder,
  holdBack,
  sendForm,
} from './steps.ts';

const confirmName = 'Confirmer la demande';

test('P7.1, P7.8, P8.1, P8.7, /summary: the path, the last description, the last price of the path, commission and total; the dial code with the total', async ({
  page,
  product,
  branch,
}) => {
  const { name } = branch.root;
  await branch.change(branch.root, { price: '2 000 FCFA' });
  const middle = await branch.add('Entre les deux');
  const child = await branch.add('Sans prix propre', {
    parentId: middle.id,
    description: 'Une seule fois par mois.',
    isFinalLevel: true,
    commissionValue: 150,
    phoneNumber: '*144*1*XX#',
  });
  await enterAs(page, product, { firstName: 'Léa', lastName: 'Lettre', phone: '77000041' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await drillDown(page, [name, middle.name, child.name]);
  const main = page.getByRole('main');
  // Badges joined by arrows, with the service last.
  await expect(page.getByRole('list', { name: 'Chemin' }).getByRole('listitem')).toHaveText([
    new RegExp(`^${name}\\s*→$`),
    middle.name,
  ]);
  for (const text of [child.name, 'Une seule fois par mois.'])
    await expect(main.getByText(text, { exact: true }).first()).toBeVisible();
  for (const text of [/2.000\sFCFA/, /\b150\b/, /2.150\sFCFA/, 'Total à payer'])
    await expect(main.getByText(text).locator('visible=true').first()).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText(/^2.150\sFCFA$/);
  // Shown only for a service with a custom price.
  await expect(page.getByLabel('Entrer la somme')).toBeHidden();

  const sending = page.waitForRequest(
    (request) => request.method() === 'POST' && /\/api\/tickets$/.test(request.url()),
  );
  const code = await confirmOrder(page, { beneficiary: '71 23 45 67', total: /^2.150\sFCFA$/ });
  expect((await sending).postDataJSON()).toMatchObject({ status: 'pending', totalPrice: '2150' });
  expect(code).toBe('*144*1*2150#');
  const dialog = page.getByRole('dialog', { name: 'Demande créée avec succès' });
  await dialog.getByRole('button', { name: /^Copier/ }).click();
  await expectToast(page, 'Code copié');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await expect(dialog.getByRole('button', { name: 'Fermer', exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: "Retour à l'accueil" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Léa' })).toBeVisible();
});

test('P7.6, P7.7, ticket confirmation, in order: no user, no payment type, no phone, no price; the button is disabled without the first two', async ({
  page,
  product,
  branch,
}) => {
  const child = await branch.add('Au choix', { isFinalLevel: true, allowUserPriceInput: true });
  const filed = countRequests(page, 'POST', /^\/api\/tickets$/);
  const confirm = page.getByRole('button', { name: confirmName });
  await enterAsGuest(page, product);
  await drillDown(page, [branch.root.name, child.name]);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await expect(confirm).toBeDisabled();
  await page.getByLabel('Numéro du bénéficiaire').fill('');
  await sendForm(page);
  await expectToast(page, 'Connexion requise', 'Veuillez vous connecter pour continuer.');
  await expect(page).toHaveURL(`${product.url}/auth`);

  await enterAs(page, product, { firstName: 'Irène', lastName: 'Lettre', phone: '77000042' });
  await drillDown(page, [branch.root.name, child.name]);
  await expect(page.getByLabel('Entrer la somme')).toBeVisible();
  await expect(confirm).toBeDisabled();
  await expect(confirm).toHaveAccessibleDescription('Indiquez la somme, le numéro et le type de paiement.');
  await sendForm(page);
  await expectFailure(page, 'Type de paiement requis');
  await closeMessage(page);
  const beneficiary = page.getByLabel('Numéro du bénéficiaire');
  await beneficiary.fill('71 23 45 67');
  await expect(confirm).toBeDisabled();
  await expect(confirm).toHaveAccessibleDescription('Indiquez la somme et le type de paiement.');
  await beneficiary.fill('');
  await choosePayment(page, 'Wave');
  await expect(confirm).toBeDisabled();
  await sendForm(page);
  await expectFailure(page, 'Numéro de téléphone requis', 'Veuillez saisir le numéro du bénéficiaire.');
  await closeMessage(page);
  await beneficiary.fill('71 23 45 67');
  await expect(confirm).toBeEnabled();
  await expect(confirm).toHaveAccessibleDescription('');
  await confirm.click();
  await expectFailure(page, 'Prix requis', 'Veuillez saisir un prix pour ce service.');
  expect(filed.count()).toBe(0);
});

test("P7.6, P7.9, ticket confirmation: disabled while pending; a failure is Erreur with the server's message or the screen's own", async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('500 /api/tickets');
  const child = await branch.add('À prix fixe', { isFinalLevel: true, price: '1 000 FCFA' });
  await enterAs(page, product, { firstName: 'Ousmane', lastName: 'Lettre', phone: '77000043' });
  await drillDown(page, [branch.root.name, child.name]);
  await fillOrder(page, { beneficiary: '71 23 45 67', paymentType: 'Wave', total: /FCFA$/ });
  const confirm = page.getByRole('button', { name: confirmName });
  await expectRefusalShown(page, {
    url: '**/api/tickets',
    title: 'Erreur',
    fallback: "Une erreur s'est produite lors de la création de votre demande.",
    send: () => confirm.click(),
  });
  const filed = countRequests(page, 'POST', /^\/api\/tickets$/);
  const { release, held } = await holdBack(page, '**/api/tickets');
  await confirm.click();
  await expect.poll(held).toBe(1);
  await expect(confirm).toBeDisabled();
  await sendForm(page);
  release();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  expect(filed.count()).toBe(1);
});

test('P24.2, fetch failures: services and payment types are told with another try, the unread count is silent', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('500 /api/');
  const child = await branch.add('À prix fixe', { isFinalLevel: true, price: '1 000 FCFA' });
  for (const url of ['**/api/catalogue', '**/api/payment-types', '**/api/notifications/user/*/unread-count'])
    await refuse(page, url);
  await enterAs(page, product, { firstName: 'Victor', lastName: 'Lettre', phone: '77000044' });
  await expect(page.getByTestId('unread-dot')).toBeHidden();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await page.getByRole('main').getByRole('button', { name: branch.root.name }).click();
  await expect(page.getByText('Impossible de charger les services.')).toBeVisible();
  await page.unroute('**/api/catalogue');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByRole('main').getByRole('button', { name: child.name }).click();
  await expect(page.getByText('Impossible de charger les types de paiement.')).toBeVisible();
  await page.unroute('**/api/payment-types');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await choosePayment(page, 'Wave');
  await expect(page.getByText('Impossible de charger les types de paiement.')).toBeHidden();
});
