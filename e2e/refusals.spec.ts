import type { Page } from '@playwright/test';
import { expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { boxOf } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import { choosePayment, drillDown, enterAs, enterAsAdministrator } from './steps.ts';

/** What all screens of both sides share: where toasts stand, the cause of what failed, and when a field's error leaves. */

/** Of what can be used or is `named`, what the toast covers. */
const coveredBy = (page: Page, named = '') =>
  page.evaluate((titles) => {
    const [card] = [...document.querySelectorAll('.toasts .rise')].slice(-1);
    const scope = card?.closest('dialog') ?? document;
    const box = card?.getBoundingClientRect();
    if (!box?.width) return ['no toast'];
    return [...scope.querySelectorAll<HTMLElement>(`a[href], button, input, select, textarea, summary${titles}`)]
      .filter((each) => !each.closest('.toasts') && each.checkVisibility())
      .filter((each) => {
        const other = each.getBoundingClientRect();
        return (
          other.width > 1 &&
          other.left < box.right &&
          other.right > box.left &&
          other.top < box.bottom &&
          other.bottom > box.top
        );
      })
      .map((each) => `${each.tagName} ${each.textContent || each.getAttribute('name')}`);
  }, named);

for (const viewport of [phoneSize, desktopSize])
  test.describe(`P24.3, ${viewport.width} pixels wide`, () => {
    test.use({ viewport });

    test('a toast covers no field and no button, and leaves with the first key', async ({
      page,
      product,
      branch,
      provoke,
    }) => {
      provoke('500 /api/services');
      const child = await branch.add('Au choix', { isFinalLevel: true, allowUserPriceInput: true });
      await enterAs(page, product, {
        firstName: 'Toast',
        lastName: 'Sow',
        phone: `7012${String(viewport.width).padStart(4, '0')}`,
      });
      await drillDown(page, [branch.root.name, child.name]);
      await expectToast(page, 'Service sélectionné');
      expect(await coveredBy(page, ', h2')).toEqual([]);
      await page.getByLabel('Numéro du bénéficiaire').pressSequentially('7');
      await expect(page.getByText('Service sélectionné')).toBeHidden();
      await page.getByLabel('Numéro du bénéficiaire').fill('70 12 34 56');
      await choosePayment(page, 'Wave');
      await page.getByRole('button', { name: 'Confirmer la demande' }).click();
      await expectFailure(page, 'Prix requis');
      expect(await coveredBy(page)).toEqual([]);

      await enterAsAdministrator(page, product, '/admin/settings?section=contact');
      await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
      await expectToast(page, 'Contact enregistré');
      expect(await coveredBy(page)).toEqual([]);
      await page.goto(`${product.url}/admin/services`);
      await page.getByRole('button', { name: 'Nouveau Service' }).click();
      await page.getByLabel('Nom du service').fill('Refusé');
      await page.route('**/api/services', (route) => route.fulfill({ status: 500, body: '' }));
      await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click();
      await expectFailure(page, 'Erreur', "Le service n'a pas pu être créé.");
      expect(await coveredBy(page)).toEqual([]);
    });
  });

test('P24.1, a toast leaves after five seconds, but not from under the pointer or the focus', async ({
  page,
  product,
}) => {
  await page.clock.install();
  await enterAs(page, product, { firstName: 'Lente', lastName: 'Sow', phone: '70129001' });
  await drillDown(page, ['Factures et paiements', 'Télévision', 'Bouquet Access']);
  const toast = page.getByText('Service sélectionné');
  // Presses pass through it, so that it cannot be hovered as a button is.
  const { x, y } = await boxOf(toast);
  await page.mouse.move(x + 2, y + 2);
  await page.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await page.getByRole('button', { name: 'Fermer le message' }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await page.getByLabel('Numéro du bénéficiaire').focus();
  await page.clock.runFor(5_000);
  await expect(toast).toBeHidden();
});

test('P24.2, what fails to load names its cause: no line, a server that does not answer, a fault of ours', async ({
  page,
  product,
  provoke,
}) => {
  provoke('503 /api/payment-types', '500 /api/');
  await page.clock.install();
  await enterAs(page, product, { firstName: 'Cause', lastName: 'Sow', phone: '70129002' });
  const fault = { code: 'INTERNAL', message: 'Erreur interne', requestId: 'a1b2c3' };
  const answer = (url: string | RegExp, status: number, json: object) =>
    page.route(url, (route) => route.fulfill({ status, json }));
  // The catalogue's own rule is asked then.
  await page.route('**/api/commission/**', (route) => route.abort());
  await answer('**/api/payment-types', 503, { code: 'BUSY', message: 'Occupé.' });
  await drillDown(page, ['Factures et paiements', 'Télévision', 'Bouquet Access']);
  const types = page.getByRole('group', { name: 'Type de paiement' });
  await expect(types).toContainText("Guichet ne répond pas. Ce n'est pas votre connexion.");
  await expect(page.getByTestId('total')).toHaveText(/^5.100\sFCFA$/);
  await page.unroute('**/api/payment-types');
  await page.clock.runFor(10_000);
  await expect(types.getByRole('radio').first(), 'it is tried again by itself').toBeVisible();

  await answer(/\/api\/notifications\/user\/\d+\?/, 500, fault);
  await page.goto(`${product.url}/notifications`);
  await expect(page.getByText("Une erreur est survenue chez nous. Ce n'est pas votre connexion.")).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/Erreur interne|a1b2c3/);
  await answer('**/api/admin/content-pages*', 500, fault);
  await enterAsAdministrator(page, product, '/admin/content');
  await expect(page.getByRole('main')).toContainText('Erreur n°\u00a0a1b2c3.');
});

test("P24.4, a field's error leaves with the first key typed into it, those of the others stay", async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  const [name, secret] = [page.getByLabel('Téléphone ou e-mail'), page.getByLabel('Mot de passe', { exact: true })];
  await expect(name).toBeFocused();
  await page.keyboard.type('7');
  await expect(name).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('Saisissez votre numéro de téléphone ou votre e-mail.')).toBeHidden();
  await expect(secret).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toBeFocused();
  await secret.press('x');
  await expect(secret).not.toHaveAttribute('aria-invalid');

  await enterAsAdministrator(page, product, '/admin/content');
  await page.getByRole('button', { name: 'Nouvelle Page' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  const title = dialog.getByLabel('Titre *');
  const slug = dialog.getByLabel('Adresse (slug) *');
  const content = dialog.getByLabel('Contenu *');
  for (const field of [title, slug, content]) await expect(field).toHaveAttribute('aria-invalid', 'true');
  await title.pressSequentially('Aide');
  await expect(title).not.toHaveAttribute('aria-invalid');
  await expect(slug, 'which the title proposes').not.toHaveAttribute('aria-invalid');
  await expect(content).toHaveAttribute('aria-invalid', 'true');
  await content.pressSequentially('x');
  await expect(dialog.locator('[aria-invalid]')).toHaveCount(0);
});

test('P7.6, the confirm button without a number or a payment type is met by Tab, and leads to what is missing', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Tabulation', lastName: 'Sow', phone: '70129004' });
  await drillDown(page, ['Factures et paiements', 'Télévision', 'Bouquet Access']);
  const confirm = page.getByRole('button', { name: 'Confirmer la demande' });
  await expect(confirm).toBeDisabled();
  await confirm.focus();
  await page.keyboard.press('Enter');
  const number = page.getByLabel('Numéro du bénéficiaire');
  await expect(number).toBeFocused();
  await number.fill('70 12 34 56');
  await page.getByRole('button', { name: 'Choisissez un type de paiement.' }).click();
  await expect(page.getByRole('radio').first()).toBeFocused();
});

for (const viewport of [
  { width: 360, height: 740, text: '200%' },
  { width: 180, height: 370, text: '' },
])
  test(`an order is filled in with twice the text, ${viewport.width} pixels wide: its bar hides nothing`, async ({
    page,
    product,
  }) => {
    await enterAs(page, product, { firstName: 'Grande', lastName: 'Sow', phone: `7013${viewport.width}0` });
    await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
    await page.setViewportSize(viewport);
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, viewport.text);
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await sideways()).toBe(0);
    await page.getByRole('button', { name: 'Pour moi' }).click();
    await page.getByLabel('Entrer la somme').fill('1250000');
    await page.getByRole('radio').first().check();
    await expect(page.getByTestId('total')).toContainText('FCFA');
    expect(await sideways()).toBe(0);
    // Where it stays in sight, it takes less than a quarter of it.
    await page.evaluate(() => scrollTo(0, 0));
    const { top, height } = await page.locator('.confirm-bar').evaluate((bar) => bar.getBoundingClientRect());
    expect(top >= viewport.height || height < viewport.height / 4).toBe(true);
  });
