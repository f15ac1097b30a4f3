import type { Locator, Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { countRequests, untilAnswered } from './answers.ts';
import { expect, test } from './branch.ts';
import { desktopSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { closeMessage, expectFailure, expectToast } from './messages.ts';
import { makeAccount } from './people.ts';
import {
  choosePayment,
  confirmOrder,
  drillDown,
  enterAs,
  enterAsAdministrator,
  enterAsGuest,
  enterBy,
  fillOrder,
  sendSignIn,
  toBundle,
} from './steps.ts';

const toSending = ["Transfert d'argent", 'Orange Money', 'Envoi national'];
const beneficiary = (page: Page) => page.getByLabel('Numéro du bénéficiaire');
const amount = (page: Page) => page.getByLabel('Entrer la somme');
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirmer la demande' });
const payments = (page: Page) => page.getByRole('group', { name: 'Type de paiement' });
const success = (page: Page) => page.getByRole('dialog', { name: 'Demande créée avec succès' });
const question = (page: Page) => page.getByRole('dialog', { name: 'Vérifiez votre demande' });

/** A phone, which has a dialler. */
test.use({ hasTouch: true });

/** The text of the focused field with its caret: '70 1|1'. */
const drawCaret = (field: Locator) =>
  field.evaluate((element: HTMLInputElement) => {
    const caret = element.selectionStart ?? 0;
    return `${element.value.slice(0, caret)}|${element.value.slice(caret)}`;
  });

test("one's own number and those of the last five beneficiaries are a touch away", async ({ page, product }) => {
  const caller = await callAs(product, { firstName: 'Carnet', lastName: 'Sow', phone: '51110004' });
  const numbers = ['70110001', '70110002', '+2250701234567', '70110003', '51110004', '70110004', '70110005'];
  await fileTickets(caller, numbers.length, numbers);
  await enterBy(page, product, caller.entrance);
  await drillDown(page, toBundle);
  const known = page.getByRole('list', { name: 'Numéros déjà utilisés' }).getByRole('button');
  await expect(known).toHaveText([
    'Pour moi',
    '70 11 00 05',
    '70 11 00 04',
    '70 11 00 03',
    '+225 07 01 23 45 67',
    '70 11 00 02',
  ]);
  await known.first().click();
  await expect(beneficiary(page)).toHaveValue('51 11 00 04');
  await expect(page.getByText('Bénéficiaire : Burkina Faso · +226 51 11 00 04')).toBeVisible();
  await expect(known.first()).toHaveAttribute('aria-pressed', 'true');
  await known.nth(4).click();
  await expect(beneficiary(page)).toHaveValue('07 01 23 45 67');
  await expect(page.getByLabel('Indicatif du pays')).toHaveValue('+225');
  await expect(known.first()).toHaveAttribute('aria-pressed', 'false');
  await known.last().click();
  await page.reload();
  await expect(known.last()).toHaveAttribute('aria-pressed', 'true');
  await expect(known.last(), 'the chosen one is in sight').toBeInViewport({ ratio: 1 });
});

test('P7.14, a number and an amount are grouped as they are typed, wrong ones are told at their fields', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Faute', lastName: 'Sow', phone: '51110008' });
  await drillDown(page, toSending);
  const filed = countRequests(page, 'POST', /^\/api\/tickets$/);
  const problem = 'Numéro invalide pour le Burkina Faso : 8 chiffres, par exemple 70 12 34 56.';
  await beneficiary(page).pressSequentially('7011223');
  await expect(beneficiary(page)).toHaveValue('70 11 22 3');
  await expect(beneficiary(page)).not.toHaveAttribute('aria-invalid');
  // Leaving it for the known numbers is no end of typing.
  for (let back = 0; back < 2; back += 1) await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Pour moi' })).toBeFocused();
  await expect(beneficiary(page)).not.toHaveAttribute('aria-invalid');
  await amount(page).focus();
  await expect(beneficiary(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(beneficiary(page)).toHaveAccessibleDescription(problem);
  await choosePayment(page, 'Wave');
  await confirm(page).click();
  await expect(beneficiary(page)).toBeFocused();
  await page.keyboard.press('End');
  for (let key = 0; key < 2; key += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('4');
  expect(await drawCaret(beneficiary(page))).toBe('70 11 22 4|3');
  await expect(beneficiary(page)).not.toHaveAttribute('aria-invalid');
  await confirm(page).click();
  await expectFailure(page, 'Prix requis', 'Veuillez saisir un prix pour ce service.');
  await expect(amount(page)).toBeFocused();
  await expect(amount(page)).toHaveAccessibleDescription('Veuillez saisir un prix pour ce service.');
  await page.keyboard.type('25000');
  await page.keyboard.press('Home');
  await page.keyboard.type('1');
  expect(await drawCaret(amount(page))).toBe('1|25 000');
  expect(filed.count()).toBe(0);
  const sending = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/api/tickets'));
  await confirm(page).dblclick();
  expect((await sending).postDataJSON()).toMatchObject({
    beneficiaryPhoneNumber: '+226 70 11 22 43',
    userPrice: 125_000,
    totalPrice: '126250',
  });
  await expect(success(page)).toBeVisible();
  expect(filed.count(), 'a double tap is one request').toBe(1);
});

test('the code of the chosen wallet is selected, dialled, and reported where it fails', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Moov', lastName: 'Sana', phone: '60110301' });
  await drillDown(page, toBundle);
  await expect(payments(page).locator('label').filter({ hasText: 'Wave' })).toContainText('Sans code pour ce service');
  const code = await confirmOrder(page, {
    beneficiary: '76 11 22 33',
    paymentType: 'Moov Money',
    total: /^1.050\sFCFA$/,
  });
  expect(code).toBe('*555*4*1*00000000*1050#');
  const dialog = success(page);
  await expect(dialog).toContainText('Depuis votre ligne Moov');
  await expect(dialog).toContainText('votre demande reste en attente de vérification.');
  await dialog.locator('.font-mono').click();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(code);
  const dial = dialog.getByRole('link', { name: 'Composer' });
  await expect(dial).toHaveAttribute('href', `tel:${encodeURIComponent(code)}`);
  await dialog.getByRole('button', { name: 'Fermer', exact: true }).click();

  await page.getByRole('link', { name: /^Détails/ }).click();
  await page.getByRole('button', { name: 'Ce code ne marche pas' }).press('Enter');
  const report = page.getByRole('dialog', { name: 'Ce code ne marche pas' });
  await expect(report.getByRole('button', { name: 'Signaler le code' })).toBeDisabled();
  await report.getByRole('radio', { name: /Code invalide/ }).press('Space');
  await report.getByRole('button', { name: 'Signaler le code' }).press('Enter');
  await expectToast(page, 'Code signalé', 'Un administrateur le vérifie.');
  await page.reload();
  await expect(page.getByText(/^Code signalé\. Nous le vérifions/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test('P8.9, a service without a code says so, a free one says Gratuit and asks for no payment', async ({
  page,
  browser,
  product,
  branch,
}) => {
  const sentence = 'Wave : pas de code pour ce service. Contactez-nous pour payer.';
  const child = await branch.add('Sans code', { isFinalLevel: true, price: '1 000 FCFA' });
  const free = await branch.add('Renseignement', { isFinalLevel: true, price: 'Gratuit', commissionValue: 500 });
  await enterAs(page, product, { firstName: 'Agent', lastName: 'Sow', phone: '51110205' });
  await drillDown(page, [branch.root.name, child.name]);
  await fillOrder(page, { beneficiary: '70 11 22 33', paymentType: 'Wave', total: /^1.000\sFCFA$/ });
  await confirm(page).click();
  await expect(success(page)).toContainText(sentence);
  await success(page).getByRole('button', { name: 'Fermer', exact: true }).click();
  const card = page.getByRole('listitem').filter({ hasText: child.name });
  await expect(card.getByRole('button', { name: /^J'ai payé/ })).toBeVisible();
  await expect(card).toContainText(sentence);
  await expect(card.getByRole('button', { name: 'Nous contacter' })).toBeVisible();
  await card.getByRole('link', { name: /^Détails/ }).click();
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nous contacter' })).toHaveCount(1);

  await page.goto(product.url);
  await drillDown(page, [branch.root.name, free.name]);
  await fillOrder(page, { beneficiary: '71 23 45 67', paymentType: 'Wave', total: 'Gratuit' });
  const told = page.getByText(/par un agent|agent vous|\b0\sFCFA/);
  await expect(told).toHaveCount(0);
  await confirm(page).click();
  await expect(success(page)).toContainText('Gratuit');
  await success(page).getByRole('button', { name: 'Fermer', exact: true }).click();
  const ticket = page.getByRole('listitem').filter({ hasText: free.name });
  await expect(ticket).toContainText('Gratuit');
  await expect(ticket.getByRole('button', { name: /^J'ai payé/ })).toHaveCount(0);
  await ticket.getByRole('link', { name: /^Détails/ }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/^Demande créée/, /^Vérification/]);
  await expect(told).toHaveCount(0);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const panel = await browser.newPage({ viewport: desktopSize });
  await enterAsAdministrator(panel, product, `/admin/tickets?ticket=${id}`);
  const shown = panel.getByRole('dialog', { name: new RegExp(`^Ticket n°\\s${id}`) });
  await expect(shown).toContainText('TotalGratuit');
  await expect(shown).not.toContainText(/\b0\sFCFA/);
  await panel.close();
  await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  await page.reload();
  await page.getByRole('button', { name: /^Reçu/ }).click();
  await expect(page.getByRole('dialog')).toContainText('TotalGratuit');
  await expect(told).toHaveCount(0);
});

test('who must sign in to order has the same order after it', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  const person = { firstName: 'Clarisse', lastName: 'Yaméogo', phone: '74000002' };
  await makeAccount(product, person);
  const signIn = async () => {
    await expect(page).toHaveURL(`${product.url}/auth`);
    await page.getByRole('tab', { name: 'Connexion' }).click();
    await sendSignIn(page, person.phone);
    await expect(beneficiary(page)).toHaveValue('71 23 45 67');
    await expect(amount(page)).toHaveValue('5 000');
    await expect(page.getByTestId('total')).toHaveText(total);
  };
  await enterAsGuest(page, product);
  await drillDown(page, toSending);
  const total = /^5.100\sFCFA$/;
  await fillOrder(page, { beneficiary: '71 23 45 6', amount: '5000 F', paymentType: 'Wave', total });
  await expect(amount(page)).toHaveValue('5 000');
  await confirm(page).click();
  await expect(beneficiary(page)).toBeFocused();
  await expect(beneficiary(page)).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('7');
  await amount(page).fill('5k');
  await confirm(page).click();
  await expect(amount(page)).toBeFocused();
  await amount(page).fill('5.000');
  await confirm(page).click();
  await expect(page.getByText('Veuillez vous connecter pour continuer.')).toBeVisible();
  // Why, and where to begin without an account (P4.18).
  await expect(page.getByText('Il faut un compte pour envoyer une demande.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Inscription' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Téléphone', { exact: true })).toHaveValue('71 23 45 67');
  await signIn();

  // The session ends on the server. A pending request would reveal it before the press.
  await untilAnswered(page);
  await page.context().clearCookies();
  await confirm(page).click();
  await expect(page.getByText('Connexion requise')).toBeVisible();
  await signIn();
  await confirm(page).click();
  await expect(success(page)).toBeVisible();
});

test('a price that changed meanwhile is confirmed only once seen', async ({ page, product, branch, provoke }) => {
  provoke('409 /api/tickets');
  const final = { isFinalLevel: true, phoneNumber: '*144*1*XX#' };
  const child = await branch.add('Bouquet', { ...final, price: '10 000 FCFA' });
  await enterAs(page, product, { firstName: 'Binta', lastName: 'Sall', phone: '71000004' });
  await drillDown(page, [branch.root.name, child.name]);
  await fillOrder(page, { beneficiary: '71 23 45 67', total: /^10.000\sFCFA$/ });
  await branch.change(child, { price: '12 000 FCFA' });
  await confirm(page).click();
  await expectFailure(page, 'Le prix a changé.');
  await expect(page.getByTestId('total')).toHaveText(/^12.000\sFCFA$/);
  await closeMessage(page);
  const reason = page.getByText(/^Le prix a changé\. Nouveau total\s: 12.000\sFCFA\. Confirmez à nouveau\.$/);
  await expect(reason).toBeVisible();
  await beneficiary(page).fill('71 23 45 68');
  await expect(reason).toBeHidden();
  await confirm(page).click();
  await expect(success(page)).toContainText('12000#');
});

test("P7.18, what a person may not mean is asked once before it is sent, with the country of the service's path", async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Doute', lastName: 'Sow', phone: '76110305' });
  const filed = countRequests(page, 'POST', /^\/api\/tickets$/);
  const order = { beneficiary: '+226 70 11 22 33', paymentType: 'Orange Money', total: /^1.050\sFCFA$/ };
  const ofMoov = "Ce numéro semble être de Moov, et le service est d'Orange.";
  await drillDown(page, toBundle);
  await fillOrder(page, order);
  await confirm(page).click();
  await expect(question(page).getByRole('paragraph')).toHaveText([ofMoov]);
  await expect(question(page).getByRole('button', { name: 'Vérifier' })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeHidden();
  await expect(confirm(page)).toBeFocused();
  expect(filed.count()).toBe(0);
  await confirm(page).click();
  await question(page).getByRole('button', { name: 'Confirmer quand même' }).click();
  await expect(success(page)).toBeVisible();
  await success(page).getByRole('button', { name: "Retour à l'accueil" }).click();

  await drillDown(page, toBundle);
  await fillOrder(page, order);
  await confirm(page).click();
  await expect(question(page).getByRole('paragraph')).toHaveText([
    /^Vous avez déjà cette demande en attente \(n°\s\d+\)\.$/,
    ofMoov,
  ]);
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
  expect(filed.count()).toBe(1);

  await page.goto(product.url);
  await drillDown(page, ['Télécom et mobile', "Côte d'Ivoire", ...toBundle.slice(2)]);
  await expect(page.getByLabel('Indicatif du pays')).toHaveValue('+225');
  await fillOrder(page, { ...order, beneficiary: '+226 76 11 22 33' });
  await confirm(page).click();
  await expect(question(page).getByRole('paragraph')).toHaveText([
    "Ce numéro est du Burkina Faso, et le service est pour la Côte d'Ivoire.",
  ]);
});

test('a screen that crashes on a filed order leads to its code', async ({ page, product, provoke }) => {
  provoke('provoked');
  await page.addInitScript(() => {
    HTMLDialogElement.prototype.showModal = () => {
      throw new Error('provoked');
    };
  });
  await enterAs(page, product, { firstName: 'Awa', lastName: 'Kone', phone: '70117003' });
  await drillDown(page, toBundle);
  await fillOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
  await confirm(page).click();
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page).toHaveURL(/\/ticket\/\d+$/);
  await expect(page.locator('.font-mono')).toHaveText('*144*10*00000000*1050#');
  await page.goto(`${product.url}/tickets`);
  await expect(page.locator('[id^=ticket-]')).toHaveCount(1);
});
