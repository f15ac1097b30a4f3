import type { Locator, Page } from '@playwright/test';
import { countRequests, untilAnswered } from './answers.ts';
import { test } from './branch.ts';
import { callAs } from './caller.ts';
import { expect } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { expectFailure } from './messages.ts';
import { choosePayment, drillDown, enterAs, enterBy, toBundle } from './steps.ts';

const toSending = ["Transfert d'argent", 'Orange Money', 'Envoi national'];

const beneficiary = (page: Page) => page.getByLabel('Numéro du bénéficiaire');
const amount = (page: Page) => page.getByLabel('Entrer la somme');
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirmer la demande' });
const payments = (page: Page) => page.getByRole('group', { name: 'Type de paiement' });
const bar = (page: Page) => page.locator('.confirm-bar');
const success = (page: Page) => page.getByRole('dialog', { name: 'Demande créée avec succès' });

/** Hides other tests' payment types: the page gets only these. */
const offerOnly = (page: Page, names: string[]) =>
  page.route('**/api/payment-types', async (route) => {
    const types = (await (await route.fetch()).json()) as { name: string }[];
    await route.fulfill({ json: types.filter(({ name }) => names.includes(name)) });
  });

/** The text of the focused field with its caret: '70 1|1'. */
const drawCaret = (field: Locator) =>
  field.evaluate((element: HTMLInputElement) => {
    const caret = element.selectionStart ?? 0;
    return `${element.value.slice(0, caret)}|${element.value.slice(caret)}`;
  });

test('on a phone the decision is above the fold, and its bar stays at the foot of the screen', async ({
  page,
  product,
}) => {
  // Types that other tests add would bring the search of more than eight.
  await offerOnly(page, ['Orange Money', 'Moov Money', 'Wave']);
  await enterAs(page, product, { firstName: 'Pli', lastName: 'Sanou', phone: '51110001' });
  await drillDown(page, toBundle);
  await expect(page.getByTestId('total')).toHaveText(/^1.050\sFCFA$/);
  await expect(page.getByText(/^Prix 1.000\sFCFA \+ commission\s50\sFCFA$/).locator('visible=true')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Forfait internet 7 jours' })).toBeVisible();
  await expect(payments(page).getByRole('radio').first()).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  for (const part of [beneficiary(page), payments(page).getByRole('radio').first(), confirm(page)])
    await expect(part).toBeInViewport({ ratio: 1 });
  const first = await boxOf(payments(page).locator('label').first());
  expect(first.height).toBeGreaterThanOrEqual(54);
  expect(first.bottom).toBeLessThan((await boxOf(bar(page))).y);

  // The path and the description, in three lines of 13 px.
  const path = page.getByRole('list', { name: 'Chemin' });
  await expect(path.getByRole('listitem')).toHaveText([/^Télécom et mobile/, /^Burkina Faso/, /^Orange/, /^Forfaits/]);
  const words = await boxOf(page.getByText('2 Go, une semaine'));
  expect(words.bottom - (await boxOf(path)).y).toBeLessThanOrEqual(3 * 13 * 1.375 + 8);

  const foot = { ...(await boxOf(bar(page))) };
  expect(foot.bottom).toBe(740);
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeHidden();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const still = await boxOf(bar(page));
  // A page's height has fractions of a pixel.
  expect(Math.abs(still.y - foot.y)).toBeLessThan(1);
  expect(still.height).toBe(foot.height);
  expect((await boxOf(payments(page))).bottom).toBeLessThanOrEqual(still.y);
});

test('payment types are chosen by the keyboard; the chosen one says which SIM to use, and stays through a reload', async ({
  page,
  product,
}) => {
  // The own country's payment types come first.
  const offered = ['Moov Money', 'Orange Money', 'Wave', 'Airtel Money', 'Mixx by Yas', 'MTN MoMo'];
  await offerOnly(page, offered);
  await enterAs(page, product, { firstName: 'Clavier', lastName: 'Kam', phone: '51110002' });
  await drillDown(page, toBundle);
  await expect(payments(page).locator('[id$=-name]')).toHaveText(offered);
  // Those without a code for the service step back.
  const colour = (name: string) =>
    payments(page)
      .getByText(name, { exact: true })
      .evaluate((element) => getComputedStyle(element).color);
  expect(await colour('Orange Money')).toBe('rgb(30, 41, 59)');
  expect(await colour('Wave')).toBe('rgb(71, 85, 105)');
  await page.getByRole('button', { name: 'Pour moi' }).focus();
  await page.keyboard.press('Tab');
  const chosen = (name: string) => payments(page).getByRole('radio', { name, exact: true, checked: true });
  await page.keyboard.press('Space');
  await expect(chosen('Moov Money')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(chosen('Orange Money')).toBeFocused();
  await expect(chosen('Orange Money')).toHaveAccessibleDescription('Depuis votre SIM Orange');
  await expect(page.getByText(/^Depuis votre SIM/)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  // Wave has no code: the service's own is another wallet's.
  await expect(chosen('Wave')).toHaveAccessibleDescription(
    "Wave n'a pas de code à composer ici. Le code de ce service se compose depuis une SIM Orange.",
  );
  await page.reload();
  await expect(chosen('Wave')).toBeVisible();
});

test("one's own number and those of the last five beneficiaries are a touch away, read once", async ({
  page,
  product,
}) => {
  const person = { firstName: 'Carnet', lastName: 'Sow', phone: '51110004' };
  const caller = await callAs(product, person);
  const services = (await caller.send('GET', '/api/catalogue')) as {
    id: number;
    name: string;
    parentId: number | null;
  }[];
  const last = services.find(({ name }) => name === 'Bouquet Access');
  const path = [];
  for (let step = last; step; step = services.find(({ id }) => id === step?.parentId)) path.unshift({ id: step.id });
  const numbers = [
    '70110001',
    '70110002',
    '+2250701234567',
    '70110003',
    '51110004',
    '70110002',
    '70110004',
    '70110005',
  ];
  for (const [place, beneficiaryPhoneNumber] of numbers.entries())
    await caller.send('POST', '/api/tickets', {
      serviceId: last?.id,
      servicePath: path,
      beneficiaryPhoneNumber,
      // Equal orders within seconds count as one.
      paymentTypeName: place < 4 ? 'Wave' : 'Orange Money',
      totalPrice: '5100',
    });
  await caller.end();
  await enterBy(page, product, caller.entrance);
  const asked = countRequests(page, 'GET', /^\/api\/tickets\/user\//);
  await page.clock.install();
  await drillDown(page, toBundle);
  const known = page.getByRole('list', { name: 'Numéros déjà utilisés' }).getByRole('button');
  await expect(known).toHaveText([
    'Pour moi',
    '70 11 00 05',
    '70 11 00 04',
    '70 11 00 02',
    '70 11 00 03',
    '+225 07 01 23 45 67',
  ]);
  await untilAnswered(page);
  const before = asked.count();
  await page.clock.runFor(30_000);
  expect(asked.count()).toBe(before);

  await known.first().click();
  await expect(beneficiary(page)).toHaveValue('51 11 00 04');
  await expect(page.getByText('Bénéficiaire : Burkina Faso · +226 51 11 00 04')).toBeVisible();
  await expect(known.first()).toHaveAttribute('aria-pressed', 'true');
  await known.last().click();
  await expect(beneficiary(page)).toHaveValue('07 01 23 45 67');
  await expect(page.getByLabel('Indicatif du pays')).toHaveValue('+225');
  await expect(page.getByText("Bénéficiaire : Côte d'Ivoire · +225 07 01 23 45 67")).toBeVisible();
  await expect(known.first()).toHaveAttribute('aria-pressed', 'false');
  expect((await boxOf(known.first())).y).toBeGreaterThan((await boxOf(page.getByText(/^Bénéficiaire :/))).bottom);
  for (const box of await Promise.all([known.first(), known.last()].map(boxOf)))
    expect(box.height).toBeGreaterThanOrEqual(44);
});

test('a number and an amount are grouped as one types, with the caret in its place; the API gets them whole', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Groupe', lastName: 'Sow', phone: '51110005' });
  await drillDown(page, toSending);
  await expect(beneficiary(page)).toHaveAttribute('placeholder', 'XX XX XX XX');
  await beneficiary(page).pressSequentially('70112233');
  await expect(beneficiary(page)).toHaveValue('70 11 22 33');
  for (let key = 0; key < 3; key += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  expect(await drawCaret(beneficiary(page))).toBe('70 11 2|3 3');
  await page.keyboard.type('4');
  expect(await drawCaret(beneficiary(page))).toBe('70 11 24| 33');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Delete');
  expect(await drawCaret(beneficiary(page))).toBe('70 11 24 |3');
  await page.keyboard.type('3');
  await amount(page).pressSequentially('25000');
  await expect(amount(page)).toHaveValue('25 000');
  await page.keyboard.press('Home');
  await page.keyboard.type('1');
  expect(await drawCaret(amount(page))).toBe('1|25 000');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/^126.250\sFCFA$/);
  const sending = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/tickets'),
  );
  await confirm(page).click();
  expect((await sending).postDataJSON()).toMatchObject({
    beneficiaryPhoneNumber: '+226 70 11 24 33',
    userPrice: 125_000,
    totalPrice: '126250',
  });
  await expect(success(page)).toBeVisible();
});

test('P7.14, a wrong number and a missing price are told at their fields, which get the focus, and nothing is sent', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Faute', lastName: 'Sow', phone: '51110008' });
  await drillDown(page, toSending);
  const filed = countRequests(page, 'POST', /^\/api\/tickets$/);
  const problem = 'Numéro invalide pour le Burkina Faso : 8 chiffres, par exemple 70 12 34 56.';
  await beneficiary(page).fill('70 11 22 3');
  await expect(beneficiary(page)).not.toHaveAttribute('aria-invalid');
  // Leaving it for the known numbers is no end of typing.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Pour moi' })).toBeFocused();
  await expect(beneficiary(page)).not.toHaveAttribute('aria-invalid');
  await expect(payments(page).getByRole('radio').first()).toBeVisible();
  const place = await boxOf(payments(page));
  await amount(page).focus();
  await expect(beneficiary(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(beneficiary(page)).toHaveAccessibleDescription(problem);
  // What is under a finger stays there.
  expect(await boxOf(payments(page))).toEqual(place);

  await choosePayment(page, 'Wave');
  await confirm(page).click();
  await expect(beneficiary(page)).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await page.keyboard.press('End');
  await page.keyboard.type('3');
  await expect(beneficiary(page)).not.toHaveAttribute('aria-invalid');
  await confirm(page).click();
  await expectFailure(page, 'Prix requis', 'Veuillez saisir un prix pour ce service.');
  await expect(amount(page)).toBeFocused();
  await expect(amount(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(amount(page)).toHaveAccessibleDescription('Veuillez saisir un prix pour ce service.');
  await page.keyboard.type('5000');
  await expect(amount(page)).not.toHaveAttribute('aria-invalid');
  expect(filed.count()).toBe(0);
  await confirm(page).click();
  await expect(success(page)).toBeVisible();
});
